var x: 0..3;
procedure reset(); begin x := 0; end;
startstate begin rest(); end;
rule "idle" true ==> end;
