var x: -9..9; y: -9..9;
startstate begin x := 7; y := -2; end;
rule "mix" y != 0 ==> begin x := (x + y) * 2 % 5 - +x / y; y := -y; end;
