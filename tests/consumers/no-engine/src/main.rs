//! Prints what is in the library.

use consumer_no_engine::{ANY, PART, SETTINGS, TEXT};

fn main() {
    print!("{TEXT}{} {:?} {:?} {PART}", SETTINGS.port, SETTINGS.names, ANY.get("port"));
}
