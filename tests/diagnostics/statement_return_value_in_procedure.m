var x: 0..3;
procedure set(); begin x := 1; return x; end;
startstate begin set(); end;
rule "idle" true ==> end;
