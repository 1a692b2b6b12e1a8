var x: 0..3;
startstate begin x := 0; end;
ruleset i: 0..3 do
  rule "step" x < i ==> begin i := x; end;
end;
