var x: 0..3; a: array [0..1] of 0..3;
function seen(i: 0..1): 0..1; begin cover "seen" x > 0; return i; end;
startstate begin x := 0; a[0] := 0; a[1] := 0; end;
ruleset i: 0..1 do alias place: a[seen(i)] do
  rule "step" x < 3 ==> begin if place = 3 then return; end; x := x + 1; place := x; end;
end; end;
