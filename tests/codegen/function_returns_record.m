type point: record x, y: 0..9; end;
var p: point;
function make(x, y: 0..9): point;
var q: point;
begin q.x := x; q.y := y; return q; end;
function sum(q: point): 0..18; begin return q.x + q.y; end;
startstate begin p := make(1, 2); end;
rule "same" make(1, 2) = p ==> begin p := make(sum(make(2, 3)), 0); end;
