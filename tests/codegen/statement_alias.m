type point: record x, y: 0..3; end;
var points: array [0..1] of point; i: 0..1;
startstate begin clear points; i := 0; end;
rule "bound once" true ==>
begin
  alias p: points[i]; sum: points[0].x + points[1].y do
    i := 1 - i;
    p.x := sum % 4;
  end;
end;
