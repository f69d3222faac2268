//! What resources are called: names of one thing in two forms, and of things that stand beside others.

use super::suggest::words;

/// Bytes of names beyond which they are no names.
const LONGEST: usize = 100;
/// Words that say what kind of thing it is: of them two names may have different ones.
const KINDS: [&str; 8] = ["api", "app", "application", "deploy", "deployment", "server", "service", "svc"];
/// Words that make another thing of a name: what stands beside the one that is called so.
const BESIDE: [&str; 23] = [
    "backup",
    "cache",
    "canary",
    "consumer",
    "cron",
    "cronjob",
    "db",
    "exporter",
    "init",
    "job",
    "listener",
    "metrics",
    "migration",
    "monitor",
    "operator",
    "proxy",
    "queue",
    "replica",
    "scheduler",
    "sentinel",
    "sidecar",
    "test",
    "webhook",
];

/// Do two names of resources say the same, but for words that say what kind of thing it is: `orders` and `order-service`,
/// `payments-api` and `payment-service`? Who asks for a part of a name may mean what says more.
pub(crate) fn is_called_alike(wanted: &str, other: &str) -> bool {
    if wanted.len() > LONGEST || other.len() > LONGEST {
        return false;
    }
    let (own, other) = (words(wanted), words(other));
    let is_shared = |word: &String| tells(word) && has(&other, word);
    let (more, less) = (lacks(&other, &own), lacks(&own, &other));
    own.iter().any(is_shared)
        && less.iter().all(|word| is_kind(word))
        && (less.is_empty() || more.iter().all(|word| is_kind(word)))
        && !more.iter().any(|word| is_of_beside(word))
}

/// Does a name have all that another one is told by, as it is or in the plural?
pub(crate) fn has_all_words(wanted: &str, other: &str) -> bool {
    if wanted.len() > LONGEST || other.len() > LONGEST {
        return false;
    }
    let other = words(other);
    let own = words(wanted);
    let mut telling = own.iter().filter(|word| tells(word)).peekable();
    let is_same = |one: &str, other: &str| one == other || is_plural(one, other) || is_plural(other, one);
    telling.peek().is_some() && telling.all(|word| other.iter().any(|other| is_same(word, other)))
}

/// Is a name that of something beside what another one names: `redis-exporter` for `redis`?
pub(crate) fn is_beside(wanted: &str, other: &str) -> bool {
    if wanted.len() > LONGEST || other.len() > LONGEST {
        return false;
    }
    let own = words(wanted);
    words(other).iter().any(|word| is_of_beside(word) && !has(&own, word))
}

fn tells(word: &str) -> bool {
    const SHORTEST: usize = 2;
    !is_kind(word) && word.chars().count() >= SHORTEST
}

fn is_kind(word: &str) -> bool {
    KINDS.contains(&word)
}

fn is_of_beside(word: &str) -> bool {
    BESIDE.iter().any(|known| word == *known || is_plural(known, word))
}

fn has(words: &[String], word: &str) -> bool {
    words.iter().any(|other| is_form(word, other))
}

fn lacks<'a>(words: &'a [String], others: &[String]) -> Vec<&'a String> {
    words.iter().filter(|word| !has(others, word)).collect()
}

/// Are two words forms of one, by endings that words have: `order` and `orders`, `category` and `categories`?
fn is_form(one: &str, other: &str) -> bool {
    const COMMON: usize = 4;
    const ENDINGS: [[&str; 2]; 11] = [
        ["", "er"],
        ["", "ers"],
        ["", "ing"],
        ["e", "er"],
        ["e", "ers"],
        ["e", "ing"],
        ["er", "ers"],
        ["er", "ing"],
        ["s", "er"],
        ["s", "ing"],
        ["es", "ing"],
    ];
    let is_other = |one: &str, other: &str| {
        ENDINGS.iter().any(|[first, last]| {
            let stem = one.strip_suffix(first).filter(|stem| stem.chars().count() >= COMMON);
            stem.is_some_and(|stem| other.strip_suffix(last) == Some(stem))
        })
    };
    let is_it = |one: &str, other: &str| is_plural(one, other) || is_other(one, other);
    one == other || is_it(one, other) || is_it(other, one)
}

/// Is a word the plural of another one?
fn is_plural(one: &str, many: &str) -> bool {
    let rest = many.strip_prefix(one).filter(|_| one.chars().count() > 2);
    let of_y = || one.strip_suffix('y').filter(|stem| stem.len() > 2);
    matches!(rest, Some("s" | "es")) || of_y().is_some_and(|stem| many.strip_prefix(stem) == Some("ies"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_may_be_called_alike() {
        for (wanted, other, expected) in [
            ("orders", "order-service", true),
            ("web", "web-frontend", true),
            ("payments-api", "payment-service", true),
            ("web-server", "web", true),
            ("category", "categories-v2", true),
            ("bill", "billing-service", true),
            ("invoicing", "invoices", true),
            ("orders", "payment-service", false),
            ("billing-service", "order-service", false),
            ("service", "order-service", false),
            ("shop-billing", "shop-orders", false),
            ("web-api", "web-worker", false),
            ("orders-worker", "orders", false),
            ("post", "postgres", false),
            ("internal-gateway", "internet-gateway", false),
            ("production", "product-service", false),
            ("redis", "redis-exporter", false),
            ("orders", "order-migrations", false),
            ("", "web", false),
        ] {
            assert_eq!(is_called_alike(wanted, other), expected, "{wanted} {other}");
        }
    }

    #[test]
    fn a_name_may_have_the_word_itself() {
        for (wanted, other, expected) in [
            ("account-api", "user-accounts", true),
            ("account-api", "accounting-service", false),
            ("shop-orders", "shop-billing", false),
            ("api", "api-service", false),
            ("", "web", false),
        ] {
            assert_eq!(has_all_words(wanted, other), expected, "{wanted} {other}");
        }
    }

    #[test]
    fn what_stands_beside_another_thing_is_not_that() {
        for (wanted, other, expected) in [
            ("redis", "redis-exporter", true),
            ("db", "db-backups", true),
            ("redis-proxy", "redis-proxy-blue", false),
            ("web", "web-frontend", false),
        ] {
            assert_eq!(is_beside(wanted, other), expected, "{wanted} {other}");
        }
    }
}
