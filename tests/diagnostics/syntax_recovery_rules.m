-- A syntax error in one rule, and type errors in the others and in the same one.
const N: 3;
type T: 0 .. N;
var x: T; b: boolean;

startstate begin
  x := 0;
  b := 1;
end;

rule "guard" x = ==> begin
  x := true;
end;

rule "statements" x = 1 ==> var y: T; begin
  x = 2;
  y := b;
  if x then y := 0; end;
  foo bar;
  for i: T do y := i; z := i; end;
end;

rule "header of a block" x = 2 ==> begin
  if x = 1 y := 1; else y := 2; end;
  b := x;
end;

rule "fine" b ==> begin b := 2; end;

invariant "broken" x + ;
invariant "wrong" x;
