//! A flat name whose first word is short for the group in which the rest lies: `db_name` for `name` in `database`, as after
//! keys were put into groups.

use super::suggest;
use crate::nearest::folded;

/// Words that have more than one long form, or whose letters would fit others: `db` is no dashboard.
const KNOWN: [(&str, &[&str]); 9] = [
    ("app", &["application"]),
    ("db", &["database"]),
    ("env", &["environment"]),
    ("log", &["logging", "logger"]),
    ("ns", &["namespace"]),
    ("pg", &["postgres"]),
    ("pw", &["password"]),
    ("sa", &["serviceaccount"]),
    ("sc", &["storageclass", "securitycontext"]),
];

/// Words that are short for nothing: what they begin is something else.
const WHOLE: [&str; 10] = ["api", "host", "key", "net", "node", "pod", "port", "sub", "user", "web"];

/// The name of a member in a group, for a flat name, if the first word of that is short for the group: `name` for `db_name`
/// in `database`.
pub(crate) fn member_in<'n>(name: &'n str, group: &str) -> Option<&'n str> {
    let (short, member) = halves(name)?;
    is_short_for(&short.to_lowercase(), group).then_some(member)
}

/// A name behind its first word: `db_name`, `db-name` and `dbName` are `db` and the rest.
fn halves(name: &str) -> Option<(&str, &str)> {
    let is_end = |letter: char| matches!(letter, '_' | '-') || letter.is_ascii_uppercase();
    let end = name.find(is_end)?;
    let (short, rest) = (name.get(..end)?, name.get(end..)?.trim_start_matches(['_', '-']));
    (!short.is_empty() && !rest.is_empty()).then_some((short, rest))
}

fn is_short_for(short: &str, group: &str) -> bool {
    let long = folded(group);
    let is_it = |word: &&str| long == **word || long.strip_suffix('s') == Some(*word);
    match KNOWN.iter().find(|(known, _)| *known == short) {
        Some((_, words)) => words.iter().any(is_it),
        // Of several words, the first one may say of what it is: `pod` is not short for `podMonitor`.
        None => !WHOLE.contains(&short) && halves(group).is_none() && short != long && suggest::shortens(short, &long),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_may_be_short_for_a_group() {
        for (name, group, member) in [
            ("db_name", "database", Some("name")),
            ("dbName", "database", Some("Name")),
            ("db-host", "databases", Some("host")),
            ("img_tag", "image", Some("tag")),
            ("svc_port", "service", Some("port")),
            ("cfg_max_size", "config", Some("max_size")),
            ("repo_url", "repository", Some("url")),
            ("sa_name", "service_account", Some("name")),
            ("db_port", "dashboard", None),
            ("db_name", "databaseReplica", None),
            ("app_name", "applicationSet", None),
            ("service_name", "serviceAccount", None),
            ("svc_name", "serviceAccount", None),
            ("pod_labels", "podMonitor", None),
            ("log_path", "login", None),
            ("web_port", "webhook", None),
            ("log_level", "logging", Some("level")),
            ("app_name", "appearance", None),
            ("host_name", "ghost", None),
            ("database_name", "database", None),
            ("in_name", "ingress", None),
            ("a_name", "api", None),
            ("name", "n", None),
            ("_name", "database", None),
            ("db_", "database", None),
        ] {
            assert_eq!(member_in(name, group), member, "{name} {group}");
        }
    }
}
