//! Renders what the macro renders, into files.

const ITEMS: &str = "
    pub static SETTINGS: Settings = data_values;
    pub static WEB: Deployment = document where kind = \"Deployment\";
    pub static ANY: [Value] = documents;
    pub static FILES: [(&str, &[u8])] = files;
    pub mod manifests = documents by kind, metadata.name;
";

fn main() {
    ytt_build::watch("src/parts");
    ytt_build::Builder::new("config").items(ITEMS).maps("**.labels").generate("generated.rs").write_text("config.yml").build();
}
