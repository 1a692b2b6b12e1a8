var x: 0..3;
startstate begin undefine x + 1; end;
rule "idle" true ==> end;
