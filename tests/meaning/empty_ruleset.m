-- A ruleset without values has no guards to go wrong in.
var x: 0..5;
ruleset i := 3 to 1 do
  rule "r" 1 / x = 1 ==> begin x := x + 1; end;
end;
startstate begin x := 0; end;
