-- Each array alone would do.
type byte: 0..254; row: array [0..9999999] of byte;
var a, b, c: row; d, e, f, g: row;
startstate begin clear a; end;
rule "step" true ==> begin a[0] := 1; end;
