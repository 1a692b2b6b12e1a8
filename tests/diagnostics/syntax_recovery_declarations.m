-- Names that a broken declaration declares are not reported as unknown; others are.
const
  M 3;
  K: 2;
type
  colour: enum { red, green blue };
  pair: record a: 0 .. K; b 0 .. K; end;
  count: 0 .. K;
var
  c: colour;
  p: pair;
  n: count;
  m 0 .. M;

function twice(v: count) count;
begin
  return v + v;
end;

function half(v: count): count;
  var h count;
begin
  h := v / 2;
  return n = h;
end;

startstate begin
  c := red;
  p.a := 1;
  m := M;
  n := twice(n);
  n := half(n);
  n := unknown;
  n := red + true;
end;

rule n = c ==> begin end;
