//! The tests add the module of generated code.
