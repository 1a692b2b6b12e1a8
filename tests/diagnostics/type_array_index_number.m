var a: array [4] of boolean;
startstate begin clear a; end;
rule "idle" true ==> end;
