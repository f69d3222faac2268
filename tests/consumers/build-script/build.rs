//! Renders the folder twice: with one line, and with an overlay.

fn main() {
    ytt_build::compile("config");
    ytt_build::Builder::new("config").overlay("overlays").write_text("scaled.yml").build();
}
