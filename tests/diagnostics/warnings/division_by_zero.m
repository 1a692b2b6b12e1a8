var x: 0..3;
startstate begin x := 1; end;
rule "share" x / 0 = 1 ==> begin x := 2; end;
