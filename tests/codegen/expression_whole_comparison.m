type point: record x, y: 0..3; end;
     row: array [0..1] of point;
var a, b: row;
startstate begin clear a; clear b; a[0].x := 3; end;
rule "copy" a != b ==> begin b := a; end;
invariant "first" a[0] = b[0] | b[0].x = 0;
