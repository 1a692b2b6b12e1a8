var x: 0..3;
startstate begin x := 1; end;
rule "shift" x << 64 > 0 ==> begin x := 2; end;
