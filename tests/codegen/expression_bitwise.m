var x: 0..15;
startstate begin x := 5; end;
rule "mix" (x & 1) = 1 ==> begin x := ((x << 1 | x >> 2) ^ 3) & 15 & ~8; end;
