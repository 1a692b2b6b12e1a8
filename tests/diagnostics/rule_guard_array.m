var a: array [0..1] of boolean;
startstate begin clear a; end;
rule "step" a ==> begin clear a; end;
