var x: 0..3;
startstate begin x := 0; end;
ruleset i: 0..99999; j: 0..99999; k: 0..99999 do
  rule "step" x < 3 ==> begin x := x + 1; end;
end;
