-- Elements of two scalarsets that only differ in what they are paired with: the fast reduction has several
-- forms for one orbit, and the trace to the deadlock is found all the same.
type key: scalarset(3); door: scalarset(3);
var opens: array [key] of door;
startstate begin undefine opens; end;
ruleset k: key; d: door do
  rule "cut" isundefined(opens[k]) ==> begin opens[k] := d; end;
end;
