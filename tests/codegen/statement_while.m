var x: 0..9;
startstate begin x := 9; end;
rule "halve" x > 0 ==> begin while x > 4 do x := x / 2; end; end;
