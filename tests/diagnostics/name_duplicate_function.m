var x: 0..3;
procedure reset(); begin x := 0; end;
procedure reset(); begin x := 1; end;
startstate begin reset(); end;
rule "idle" true ==> end;
