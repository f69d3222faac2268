//! Has cargo look at the folders, in which rustc does not see new files.

fn main() {
    ytt_build::watch("config");
    ytt_build::watch("overlays");
}
