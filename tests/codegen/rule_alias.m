type point: record x, y: 0..3; end;
var points: array [0..1] of point;
startstate begin clear points; end;
ruleset i: 0..1 do
  alias p: points[i]; other: points[1 - i] do
    rule "follow" p.x < other.x | p.x = 0 ==> begin p.x := p.x + 1; end;
    invariant "low" p.y = 0;
  end;
end;
