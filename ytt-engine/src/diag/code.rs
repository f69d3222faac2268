//! The stable codes of diagnostics, one line each, sorted. A code never changes its meaning.

use std::fmt;

/// Stable name of a kind of problem, such as `overlay::no-match`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

impl Code {
    /// The name, as it is printed between brackets.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

macro_rules! codes {
    ($($name:ident = $text:literal;)*) => {
        #[allow(dead_code, reason = "some codes are used only with a feature")]
        impl Code {
            $(pub(crate) const $name: Code = Code($text);)*
        }
    };
}

codes! {
    COMMAND_STALE = "command::stale";
    COMMAND_USAGE = "command::usage";
    EXPLAIN_SELECTOR = "explain::selector";
    FILES_BEYOND_MARK = "files::beyond-mark";
    FILES_BULK = "files::bulk";
    FILES_MARK = "files::mark";
    FILES_READ = "files::read";
    FILES_RENAME = "files::rename";
    FILES_STDIN = "files::stdin";
    FILES_SYMLINK = "files::symlink";
    FILES_UNUSED = "files::unused";
    FILE_KIND = "file::kind";
    INTERNAL = "engine::internal";
    JSON_KEY = "json::key";
    JSON_NOT_FINITE = "json::not-finite";
    JSON_SYNTAX = "json::syntax";
    LIBRARY_NOT_FOUND = "library::not-found";
    LIBRARY_THROWN_AWAY = "library::thrown-away";
    LIMIT = "limit::exceeded";
    LIMIT_BUDGET = "limit::budget";
    LINT_UNKNOWN = "lint::unknown";
    MODULE_ARGUMENT = "module::argument";
    MODULE_ARGUMENT_ORDER = "module::argument-order";
    MODULE_ASSERT = "module::assert";
    MODULE_DECODE = "module::decode";
    MODULE_LOOSE = "module::loose-text";
    MODULE_MATH = "module::math";
    MODULE_NO_SUCH_GROUP = "module::no-such-group";
    MODULE_REGEXP = "module::regexp";
    MODULE_UNKNOWN_ARGUMENT = "module::unknown-argument";
    MODULE_VERSION = "module::version";
    OUTPUT_PATH = "output::path";
    OUTPUT_WRITE = "output::write";
    OVERLAY_AGAIN = "overlay::again";
    OVERLAY_ARGUMENTS = "overlay::arguments";
    OVERLAY_ASSERT = "overlay::assert";
    OVERLAY_DUPLICATE_KEY = "overlay::duplicate-key";
    OVERLAY_EXPECTS_FUNCTION = "overlay::expects-function";
    OVERLAY_FUNCTION = "overlay::function";
    OVERLAY_JUNCTION = "overlay::junction";
    OVERLAY_KIND = "overlay::kind";
    OVERLAY_MATCHED_NOTHING = "overlay::matched-nothing";
    OVERLAY_MATCHER_KEY = "overlay::matcher-key";
    OVERLAY_MISSING_OK_UNNEEDED = "overlay::missing-ok-unneeded";
    OVERLAY_NOT_AN_OVERLAY = "overlay::not-an-overlay";
    OVERLAY_NOT_EVALUATED = "overlay::not-evaluated";
    OVERLAY_NO_DOCUMENT = "overlay::no-document";
    OVERLAY_NO_EFFECT = "overlay::no-effect";
    OVERLAY_NO_MATCH = "overlay::no-match";
    OVERLAY_OLD_KEY = "overlay::old-key";
    OVERLAY_ONE_LEVEL_TOO_HIGH = "overlay::one-level-too-high";
    OVERLAY_OTHER_LETTERS = "overlay::other-letters";
    OVERLAY_OVERRIDDEN = "overlay::overridden";
    OVERLAY_PLACE = "overlay::place";
    OVERLAY_REMOVES_NOTHING = "overlay::removes-nothing";
    OVERLAY_RENAMED_KEY = "overlay::renamed-key";
    OVERLAY_SECOND_ITEM = "overlay::second-item";
    OVERLAY_SHARED_NODE = "overlay::shared-node";
    OVERLAY_TOO_FEW = "overlay::too-few";
    OVERLAY_TOO_MANY = "overlay::too-many";
    OVERLAY_UNUSED_ARGUMENT = "overlay::unused-argument";
    OVERLAY_VALUE = "overlay::value";
    OVERLAY_WITHOUT_MATCH = "overlay::without-match";
    PRINT_KIND = "print::kind";
    SCHEMA_ANNOTATION = "schema::annotation";
    SCHEMA_ANY = "schema::inside-any";
    SCHEMA_ARRAY = "schema::array-items";
    SCHEMA_DEFAULT = "schema::default";
    SCHEMA_DEPRECATED = "schema::deprecated";
    SCHEMA_EXAMPLES = "schema::examples";
    SCHEMA_NULL = "schema::null";
    SCHEMA_TYPE = "schema::type";
    SCHEMA_UNDECLARED = "schema::undeclared";
    SERDE_MISMATCH = "serde::mismatch";
    STARLARK_ERROR = "starlark::error";
    STARLARK_FUNCTION_AS_TEXT = "starlark::function-as-text";
    STARLARK_FUNCTION_NOT_CALLED = "starlark::function-not-called";
    STARLARK_HASATTR_OF_DICT = "starlark::hasattr-of-dict";
    STARLARK_IN_TEXT = "starlark::in-text";
    STARLARK_LATE_BOUND = "starlark::late-bound";
    STARLARK_NEVER_EQUAL = "starlark::never-equal";
    STARLARK_NO_RETURN = "starlark::no-return";
    STARLARK_NONE_AS_TEXT = "starlark::none-as-text";
    STARLARK_SYNTAX = "starlark::syntax";
    STARLARK_TYPE_NAME = "starlark::type-name";
    STARLARK_UNDEFINED = "starlark::undefined";
    TEMPLATE_AFTER_END = "template::after-end";
    TEMPLATE_CODE = "template::code";
    TEMPLATE_CODE_IN_TEXT = "template::code-in-text";
    TEMPLATE_COMMENT = "template::comment";
    TEMPLATE_DUPLICATE_KEY = "template::duplicate-key";
    TEMPLATE_KEY = "template::key";
    TEMPLATE_LIST_IN_LIST = "template::list-in-list";
    TEMPLATE_LOAD = "template::load";
    TEMPLATE_LOAD_CYCLE = "template::load-cycle";
    TEMPLATE_MISSING_BLANK = "template::missing-blank";
    TEMPLATE_REPLACE = "template::replace";
    TEMPLATE_REPLACE_STATEMENT = "template::replace-statement";
    TEMPLATE_STRUCTURE = "template::structure";
    TEMPLATE_TEXT = "template::text";
    TEMPLATE_UNKNOWN_ANNOTATION = "template::unknown-annotation";
    TEMPLATE_UNKNOWN_LINT = "template::unknown-lint";
    TEMPLATE_UNPRINTED = "template::unprinted";
    TEMPLATE_UNUSED_FUNCTION = "template::unused-function";
    TEMPLATE_UNUSED_LOAD = "template::unused-load";
    TEMPLATE_UNUSED_NAME = "template::unused-name";
    TEMPLATE_VALUE = "template::value";
    VALIDATE_ANNOTATION = "validate::annotation";
    VALIDATE_RULE = "validate::rule";
    VALIDATE_WHEN = "validate::when";
    VALUES_DOCUMENT = "values::document";
    VALUES_DUPLICATE_KEY = "values::duplicate-key";
    VALUES_ENVIRONMENT = "values::environment";
    VALUES_FILE = "values::file";
    VALUES_FLAG = "values::flag";
    VALUES_KEY = "values::key";
    VALUES_LIBRARY = "values::library-ref";
    VALUES_NUMBER_FOR_TEXT = "values::number-for-text";
    VALUES_OUT_OF_ORDER = "values::out-of-order";
    VALUES_PLAIN_INPUT = "values::plain-input";
    VALUES_SAME_AS_BEFORE = "values::same-as-before";
    VALUES_TEXT_FOR_BOOLEAN = "values::text-for-boolean";
    VALUES_UNUSED = "values::unused";
    VALUES_UNUSED_ANNOTATION = "values::unused-annotation";
    YAML_ALIAS = "yaml::alias";
    YAML_ALIAS_OF_CODE = "yaml::alias-of-code";
    YAML_BRACES = "yaml::braces";
    YAML_MISSING_BLANK = "yaml::missing-blank";
    YAML_BYTE_ORDER_MARK = "yaml::byte-order-mark";
    YAML_DROPPED_CODE = "yaml::dropped-code";
    YAML_ENCODING = "yaml::encoding";
    YAML_MERGE = "yaml::merge";
    YAML_NOT_KEPT = "yaml::not-kept";
    YAML_STRICT = "yaml::strict";
    YAML_SYNTAX = "yaml::syntax";
    YAML_TAG = "yaml::tag";
    YAML_UNKNOWN_TAG = "yaml::unknown-tag";
}
