-- Constants of every kind, one of which follows from another.
const
  N: 3;
  M: N * 2;
  lowest: 0;
  broken: false;

type
  color: enum { red, green };

const
  kind: red;

var
  x: lowest..M;
  c: color;

startstate
begin
  x := lowest;
  c := kind;
end;

rule "up" x < M ==>
begin
  x := x + 1;
end;

invariant "sound" broken -> x != M;
invariant "red" c = red;
