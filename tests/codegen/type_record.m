type point: record x, y: 0..3; seen: boolean; end;
var p, q: point;
startstate begin clear p; clear q; end;
rule "move" p.x < 3 ==> begin p.x := p.x + 1; p.seen := true; end;
rule "copy" p != q ==> begin q := p; end;
