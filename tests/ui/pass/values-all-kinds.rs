//! Every kind of value that a call can give reaches the template with its type.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

static TEXT: &str = ytt_macros::include_ytt!(
    "data/kinds",
    values = {
        all: {
            null: null,
            yes: true,
            negative: -3,
            largest: 18446744073709551615,
            float: 1.5,
            text: "3",
            joined: concat!("a", 1, '-', true),
            list: [1, "two", [], { three: 3 }],
            r#type: "keyword",
            "app.kubernetes.io/name": "quoted",
        },
    },
);

fn main() {
    assert_eq!(
        TEXT,
        r#"all:
  "null": null
  "yes": true
  negative: -3
  largest: 18446744073709551615
  float: 1.5
  text: "3"
  joined: a1-true
  list:
  - 1
  - two
  - []
  - three: 3
  type: keyword
  app.kubernetes.io/name: quoted
"#
    );
}
