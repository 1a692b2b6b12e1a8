var x: 0..3;
procedure bump(); begin if x = 3 then return; end; x := x + 1; end;
startstate begin x := 0; end;
rule "step" true ==> begin bump(); if x = 1 then return; end; bump(); end;
