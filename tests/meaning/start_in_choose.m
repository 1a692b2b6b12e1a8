-- All multisets are empty before a start state, so one inside `choose` is none.
var x: 0..5; m: multiset [2] of 0..1;
startstate "a" begin x := 0; end;
choose i: m do startstate "b" begin x := 3; end; end;
rule "r" x < 5 ==> begin x := x + 1; end;
