var a: array [0..3] of boolean;
startstate begin clear a; a[4] := true; end;
rule "idle" true ==> end;
