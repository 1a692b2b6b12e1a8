//! Compiles the models whose searches are compared.

fn main() {
    mcc_build::Config::new().compile("../../../models/german.m");
    mcc_build::Config::new().define("N", 16).compile("../../../models/odometers.m");
}
