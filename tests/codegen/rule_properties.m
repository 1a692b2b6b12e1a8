var x: 0..3;
startstate begin x := 0; end;
rule "step" x < 3 ==> begin x := x + 1; end;
invariant "small" x <= 3;
assert "also small" x < 4;
assume "never three" x != 3;
cover "two" x = 2;
ruleset i: 0..1 do cover "each" x = i; end;
