-- Rules inside of a ruleset whose header is broken are checked.
type T: scalarset(3);
var a: array [T] of boolean; x: 0 .. 1;

startstate begin x := 0; for i: T do a[i] := false; end; end;

ruleset i T; j: T do
  rule a[i] & a[j] ==> begin x := a[i]; x := false; end;
end;

alias z = x do
  rule z = 1 ==> begin x := z; x := true; end;
end;

ruleset k: T do
  rule a[k] ==> begin x := 1; end;
  end;
  rule a[k] ==> begin a[k] := 2; end;
end;

rule "the end is missing" x = 0 ==> begin
  if x = 0 then x := 1;
end;

rule x ==> begin x := 0; end;
