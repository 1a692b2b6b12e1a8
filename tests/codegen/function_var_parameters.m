type point: record x, y: 0..9; end;
var p: point; total: 0..99;
procedure swap(var a, b: 0..9);
var saved: 0..9;
begin saved := a; a := b; b := saved; end;
procedure mirror(var q: point); begin swap(q.x, q.y); end;
startstate begin p.x := 1; p.y := 2; total := 0; end;
rule "mirror" true ==> begin mirror(p); end;
