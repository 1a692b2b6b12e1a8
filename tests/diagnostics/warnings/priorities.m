var x: 0..3;
startstate begin x := 0; end;
rule 1 "first" x = 0 ==> begin x := 1; end;
rule 2 "second" x < 3 ==> begin x := x + 1; end;
rule 3 "third" x = 3 ==> begin x := 0; end;
