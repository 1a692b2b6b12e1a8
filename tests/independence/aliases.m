-- Aliases and `var` parameters are followed; an alias stays where it was bound.
type node: 0..2;
var a: array [node] of record x: node; y: node end; p: node;
procedure step(var v: node); begin v := (v + 1) % 3 end;
startstate begin for i: node do a[i].x := 0; a[i].y := 0 end; p := 0 end;
ruleset i: node do
  alias own: a[i] do
    rule "x through an alias" own.x < 2 ==> begin own.x := own.x + 1 end;
    rule "y by reference" true ==> begin step(own.y) end;
  end;
end;
rule "at p" true ==> begin alias there: a[p].x do p := 0; there := 0 end end;
rule "p by reference" true ==> begin step(p) end;
