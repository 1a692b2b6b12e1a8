-- The first four say nothing about any state.
const most: 3; strict: false;
var x: 0..most; y: 0..most;
function fine(n: 0..3): boolean; begin assert n != 3; return true; end;
startstate begin x := 0; y := 0; end;
rule x < 2 ==> begin x := x + 1; y := x; end;
invariant "in range" x <= most & y >= 0;
invariant "literal" true;
invariant "implied" forall i: 0..2 do x = i -> i < 3 end;
invariant "never" exists i: 0..2 do i > 5 end;
invariant "a function is called for its assertions" fine(x) | true;
invariant "strict" strict -> x = y;
invariant "says something" x < most;
