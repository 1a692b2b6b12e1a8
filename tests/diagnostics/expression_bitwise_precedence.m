-- Comparison binds tighter than `&`.
var x: 0..3;
startstate begin x := 0; end;
rule "odd" x & 1 = 1 ==> begin x := 0; end;
