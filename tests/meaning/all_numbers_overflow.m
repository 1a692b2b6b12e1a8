-- Nothing is outside the widest type, but a sum may be outside 64 bits.
var x: -9223372036854775808..9223372036854775807;
startstate begin x := 9223372036854775806; end;
rule "up" begin x := x + 1; end;
