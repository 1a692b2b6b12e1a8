//! Every construct that may be many or deep, at a size at which code for it used to be too deep for
//! rustc: code is generated, and is neither deep nor in long functions. `mcc-growth` builds and
//! runs it, and larger ones.

#![cfg(test)]

use mcc_fuzzing::growth::constructs::CONSTRUCTS;
use mcc_murphi::cli::STACK_SIZES;
use mcc_murphi::source::Source;

/// Brackets that may be open at one place of generated code.
const MOST_BRACKETS: usize = 300;
/// Lines that one function of generated code may have.
const MOST_LINES: usize = 10_000;

#[test]
fn generated_code_is_bounded_in_depth_and_in_the_length_of_functions() {
    let worker = std::thread::Builder::new().stack_size(STACK_SIZES[0]).spawn(all).expect("a thread");
    worker.join().expect("nothing panics");
}

fn all() {
    let mut generated = 0;
    for construct in CONSTRUCTS {
        // As deep as the parser lets through, or as many as show that a function is divided.
        let size = if construct.first < 100 { 240 } else { 1_500 };
        let sizes = [construct.first.min(16), size];
        for size in sizes {
            let source = Source::new("model.m", (construct.model)(size));
            let compilation = mcc_murphi::compile(&source);
            let codes: Vec<&str> = compilation.diagnostics.iter().map(|found| found.code).collect();
            assert!(!codes.contains(&"internal"), "{} of size {size}: {codes:?}", construct.name);
            let Some(code) = compilation.generated.map(|generated| generated.model_rs) else {
                assert!(
                    mcc_murphi::has_errors(&compilation.diagnostics),
                    "{} of size {size}",
                    construct.name
                );
                continue;
            };
            generated += 1;
            // Behind it are tables, whose strings quote the model.
            let code = code.split("static RULES").next().unwrap_or_default();
            let depth = depth(code);
            assert!(depth <= MOST_BRACKETS, "{} of size {size} is {depth} brackets deep", construct.name);
            let lines = longest_function(code);
            assert!(lines <= MOST_LINES, "{} of size {size}: a function of {lines} lines", construct.name);
        }
    }
    assert!(generated > CONSTRUCTS.len(), "only {generated} models were accepted");
}

/// The most brackets that are open at one place. There are none in the strings of these models.
fn depth(code: &str) -> usize {
    let (mut open, mut most) = (0usize, 0);
    for byte in code.bytes() {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// Lines of the longest function outside of `impl` blocks.
fn longest_function(code: &str) -> usize {
    let (mut most, mut began) = (0, None);
    for (number, line) in code.lines().enumerate() {
        if line.starts_with("fn ") {
            began = Some(number);
        } else if let (Some(first), "}") = (began, line) {
            most = most.max(number - first);
            began = None;
        }
    }
    most
}
