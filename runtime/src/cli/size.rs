//! Amounts of memory, as users write them: `200M`, `1.5G`, `64K`.

/// Reads an amount with its unit.
pub fn parse(text: &str) -> Result<u64, String> {
    let help = "write a number with its unit: 500K, 200M, 1.5G, 2T";
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or("");
    let shift = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        "" if unit.eq_ignore_ascii_case("b") => 0,
        _ => return Err(help.to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| help.to_owned())?;
    let bytes = number * (1u64 << shift) as f64;
    if !bytes.is_finite() || bytes < 1.0 || bytes > i64::MAX as f64 {
        return Err(format!("{text} is no amount of memory; {help}"));
    }
    Ok(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn units() {
        assert_eq!(parse("500K"), Ok(500 << 10));
        assert_eq!(parse("200m"), Ok(200 << 20));
        assert_eq!(parse("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse("2TB"), Ok(2 << 40));
        assert_eq!(parse("64b"), Ok(64));
        for wrong in ["", "12", "G", "-1G", "0M", "1X", "1e99G", "nanG", "infG"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
