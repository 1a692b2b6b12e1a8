//! Compiles the models that the tests include.

fn main() {
    mcc_build::Config::new().compile("models/lock.m");
    mcc_build::Config::new().define("hands_over", false).module("unfair").compile("models/lock.m");
}
