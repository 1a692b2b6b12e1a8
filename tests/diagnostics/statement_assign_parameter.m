var x: 0..3;
procedure set(a: 0..3); begin a := 1; x := a; end;
startstate begin set(2); end;
rule "idle" true ==> end;
