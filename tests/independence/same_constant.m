-- Writing the same constant twice is the same in either order.
type node: 0..2;
var flag: boolean; a: array [node] of node; r: record x: node; y: boolean end;
startstate begin flag := false; for i: node do a[i] := 0 end; clear r end;
ruleset i: node do
  rule "raise" a[i] = 0 ==> begin a[i] := 1; flag := true end;
end;
rule "lower" true ==> begin flag := false end;
rule "clear all" true ==> begin clear r end;
rule "clear one" true ==> begin clear r.x end;
rule "forget one" true ==> begin undefine r.y end;
