//! Inputs that benches generate: ordinary Kubernetes YAML, as text and as a template with a loop; documents that grow.
//!
//! Each bench is a program of its own and uses what it needs of these.
#![allow(dead_code)]

/// A Deployment of 30 lines.
fn deployment(number: usize) -> String {
    format!(
        "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-{number}
  namespace: shop
  labels:
    app: web-{number}
    tier: frontend
spec:
  replicas: {}
  selector:
    matchLabels:
      app: web-{number}
  template:
    metadata:
      labels:
        app: web-{number}
    spec:
      containers:
      - name: app
        image: registry.example.com/shop/web:1.4.{number}
        ports:
        - containerPort: 8080
        env:
        - name: LOG_LEVEL
          value: info
        resources:
          requests:
            cpu: 100m
          limits:
            memory: 256Mi
",
        number % 7 + 1
    )
}

/// Documents of ordinary YAML with comments, at least `bytes` long together.
pub fn plain(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 1000);
    let mut number = 0;
    while text.len() < bytes {
        text.push_str("---\n# The shop's front end, one for each region.\n");
        let commented = deployment(number)
            .replace("spec:\n  replicas", "# What the operator may change.\nspec:\n  replicas")
            .replace("cpu: 100m\n", "cpu: 100m # measured in March\n")
            .replace("        env:\n", "        # Read once, at the start.\n        env:\n");
        text.push_str(&commented);
        number += 1;
    }
    text
}

/// One document of `count` lines, each with a comment; a template if `code` says so.
pub fn commented(count: usize, code: bool) -> String {
    let mut text = String::from(if code { "#@ x = 1\n" } else { "" });
    for number in 0..count {
        text.push_str(&format!("- value: {number} #! comment {number}\n"));
    }
    text
}

/// One map with `count` keys; a template if `code` says so.
pub fn keys(count: usize, code: bool) -> String {
    let mut text = String::from(if code { "#@ x = 1\n" } else { "" });
    for number in 0..count {
        text.push_str(&format!("key-{number}: {number}\n"));
    }
    text
}

/// A sequence that is nested `depth` times, in flow style.
pub fn nested_flow(depth: usize) -> String {
    "[".repeat(depth)
}

/// Maps that are nested in block style, each line indented one more, at least `bytes` long together.
pub fn nested_block(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 10_000);
    let mut depth = 0;
    while text.len() < bytes {
        text.push_str(&" ".repeat(depth));
        text.push_str("a:\n");
        depth += 1;
    }
    text
}

/// A template that makes `count` Deployments of 30 lines in a loop, with two functions.
pub fn template(count: usize) -> String {
    let body = deployment(7)
        .replace("name: web-7", "name: #@ name(i)")
        .replace("app: web-7", "app: #@ name(i)")
        .replace("image: registry.example.com/shop/web:1.4.7", "image: #@ image(i)")
        .replace("replicas: 1", "replicas: #@ i % 7 + 1");
    format!(
        "#@ def name(i):\n#@   return \"web-\" + str(i)\n#@ end\n#@ def image(i):\n#@   return \"registry.example.com/shop/web:1.4.\" + str(i)\n#@ end\n#@ for i in range({count}):\n---\n{body}#@ end\n"
    )
}
