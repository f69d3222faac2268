//! Holds the generated code to its inputs.

const ITEMS: &str = "
    pub static SETTINGS: Settings = data_values;
    pub static WEB: Value = document where kind = \"Deployment\";
";

#[test]
fn generated_code_is_fresh() {
    let builder = ytt_build::Builder::new("config").data_value("replicas", 3).items(ITEMS);
    ytt_build::assert_fresh(builder, "src/generated.rs");
}
