type point: record x: 2..3; b: boolean; end;
var p: point; a: array [0..1] of point;
startstate begin clear p; clear a; end;
rule "forget" !isundefined(p.x) ==> begin undefine p; end;
rule "reset" isundefined(p.x) ==> begin clear p.x; p.b := undefined; end;
