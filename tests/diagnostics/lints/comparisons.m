-- Comparisons that the ranges decide, and below them some that look like it and are not decided.
const limit: 7; count: 1; faulty: false;
type small: 0..3; self: 1..count; one: enum { only }; id: scalarset(count);
var x: small; y: 0..limit; z: self; o: one; i: id; b: boolean;
function above(n: small): boolean; begin return n > 3; end;
ruleset j: id do startstate begin x := 0; y := 0; z := 1; o := only; clear b; i := j; end; end;
rule "decided" x >= 0 & b ==> begin
  if y <= limit then b := above(x); end;
  for k := 0 to 2 do y := k; end;
  for k: 0..2 do assert k < 3; end;
  b := (x + 1 = 0) | (x - 4 >= 0) | (x != 9);
end;
rule "not decided" x > 0 & y < limit ==> begin
  if z < count then y := 0; end;
  if o = only then y := 0; end;
  if exists j: id do i != j end then y := 0; end;
  if faulty then y := 1; end;
  for k := 0 to y do assert k < 4; end;
end;
