var x: 0..3;
startstate begin x := undefined + 1; end;
rule "idle" true ==> end;
