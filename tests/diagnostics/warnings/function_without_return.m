var x: 0..3;
function one(): 0..3; begin x := 1; end;
startstate begin x := one(); end;
rule "idle" true ==> end;
