-- Of a copy whose target and whose source both cannot be found, the target's error is told: it comes first.
type
  Place: 0..2;
  Pair: record left: Place; right: Place; end;
var
  pairs: array [Place] of Pair;
  at: Place;
  from: 0..9;

startstate
begin
  clear pairs;
  from := 7;
  undefine at;
end;

rule "copy" true ==>
begin
  pairs[at] := pairs[from];
end;
