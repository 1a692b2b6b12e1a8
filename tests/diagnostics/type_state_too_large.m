var a: array [0..99999] of array [0..99999] of 0..255;
startstate begin clear a; end;
rule "idle" true ==> end;
