//! Keys that overlays add beside others of the same last word: which are taken for their old names.

use crate::Project;

/// The lines of the overlay that are warned of: keys below `data` of the base, and of an overlay of a file.
fn warned_in(file: &str, base: &str, overlay: &str) -> Vec<usize> {
    let head = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"kind\": \"A\"})\n\
                #@overlay/match-child-defaults missing_ok=True\n---\ndata:\n";
    // Other keys that begin as it does.
    let more = "  SHOP_LEVEL: info\n  SHOP_TTL: 60s\n";
    let project = Project::new().file("base.yml", format!("kind: A\ndata:\n{more}{base}"));
    let rendered = project.file(file, format!("{head}{overlay}")).render();
    let rendered = rendered.unwrap_or_else(|error| panic!("{overlay}: {error}"));
    let told = rendered.warnings().iter().filter(|warning| warning.code().as_str() == "overlay::old-key");
    told.map(|warning| warning.position().expect("it has a place").line as usize).collect()
}

fn warned(base: &str, overlay: &str) -> Vec<usize> {
    warned_in("prod/env.yml", base, overlay)
}

#[test]
fn the_only_one_of_the_word_keeps_the_value_of_another_environment() {
    let base = "  SHOP_BUCKET: shop-dev\n";
    assert_eq!(warned(base, "  S3_BUCKET: shop-prod\n"), [6]);
    assert_eq!(warned("  shopBucket: shop-dev\n", "  s3-bucket: shop-prod\n"), [6]);
    assert_eq!(warned("  SHOP_HOST: pg.dev.svc\n", "  DB_HOST: pg.prod.svc\n"), [0; 0]);
    assert_eq!(warned("  SHOP_HOST: cart.dev.svc\n", "  DB_HOST: cart.prod.svc\n"), [6]);
}

#[test]
fn what_may_be_meant_is_not_told() {
    let base = "  SHOP_BUCKET: shop-dev\n";
    // The overlay is not of the environment, or sets the other one too.
    assert_eq!(warned_in("env.yml", base, "  S3_BUCKET: shop-prod\n"), [0; 0]);
    assert_eq!(warned_in("dev/env.yml", base, "  S3_BUCKET: shop-prod\n"), [0; 0]);
    assert_eq!(warned_in("staging/env.yml", "  SHOP_BUCKET: shop-stage\n", "  S3_BUCKET: shop-staging\n"), [0; 0]);
    assert_eq!(warned(base, "  S3_BUCKET: shop-prod\n  SHOP_BUCKET: shop-prod\n"), [0; 0]);
    // Values of something else, or of the same environment.
    assert_eq!(warned(base, "  S3_BUCKET: shop-archive-prod\n"), [0; 0]);
    assert_eq!(warned(base, "  S3_BUCKET: cart-prod\n"), [0; 0]);
    assert_eq!(warned("  SHOP_BUCKET: shop-prod\n", "  S3_BUCKET: shop-prod\n"), [0; 0]);
    assert_eq!(warned("  SHOP_STAGE: dev\n", "  S3_STAGE: prod\n"), [0; 0]);
    // Keys of two things, and of one that both belong to.
    assert_eq!(warned("  PULL_BUCKET: shop-dev\n", "  PUSH_BUCKET: shop-prod\n"), [0; 0]);
    assert_eq!(warned("  SHOP_DEFAULT_BUCKET: shop-dev\n", "  SHOP_BUCKET: shop-prod\n"), [0; 0]);
    assert_eq!(warned(base, "  #! beside SHOP_BUCKET\n  S3_BUCKET: shop-prod\n"), [0; 0]);
    // Names of something else, and of what is of another environment.
    assert_eq!(warned(base, "  S3_FOLDER: shop-prod\n"), [0; 0]);
    assert_eq!(warned(base, "  SOURCE_BUCKET: shop-prod\n"), [0; 0]);
    assert_eq!(warned(base, "  PROD_BUCKET: shop-prod\n"), [0; 0]);
    // Several may be the one, and the key is named elsewhere.
    assert_eq!(warned(&format!("{base}  CART_BUCKET: cart-dev\n"), "  S3_BUCKET: shop-prod\n"), [0; 0]);
    assert_eq!(warned(&format!("{base}  ARGS: $(S3_BUCKET)\n"), "  S3_BUCKET: shop-prod\n"), [0; 0]);
}
