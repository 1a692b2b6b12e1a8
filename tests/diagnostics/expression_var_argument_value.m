var x: 0..3;
procedure set(var target: 0..3); begin target := 1; end;
startstate begin set(x + 1); end;
rule "idle" true ==> end;
