var x: 0..3;
procedure set(a: 0..3); begin x := a; end;
startstate begin set(1, 2, 3); end;
rule "idle" true ==> end;
