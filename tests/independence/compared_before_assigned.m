-- A local that gets one value is undefined where that assignment is not executed, and may be compared then: what the comparison
-- yields, and with it the index, does not follow from the parameters.
type
  kind: union { enum { some }, enum { other } };

var
  a: array [0..1] of 0..3;
  b: boolean;
  steps: 0..3;

startstate
begin
  a[0] := 0;
  a[1] := 0;
  b := false;
  steps := 0;
end;

rule "toggle" steps < 3 ==> begin b := !b; steps := steps + 1; end;

rule "by a local" steps < 3 ==>
var l: kind;
begin
  if b then l := some; end;
  a[l = some ? 0 : 1] := 2;
end;

rule "second" a[1] < 3 ==> begin a[1] := a[1] + 1; end;
rule "first" a[0] < 3 ==> begin a[0] := a[0] + 1; end;
