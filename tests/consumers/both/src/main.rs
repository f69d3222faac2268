//! Prints what is embedded.

use consumer_both::{ANY, PART, SETTINGS, TEXT, WEB, generated};

fn main() {
    let ports = SETTINGS.ports.iter().sum::<i64>();
    let app = SETTINGS.labels.get("app").copied().unwrap_or_default();
    print!("{TEXT}{PART}{ports} {app} {} {} {}", WEB.metadata.name, ANY.len(), generated::SETTINGS.replicas);
}
