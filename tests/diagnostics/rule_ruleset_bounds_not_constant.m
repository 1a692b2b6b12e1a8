var n: 0..3; x: 0..3;
startstate begin n := 3; x := 0; end;
ruleset i := 0 to n do
  rule "step" x < i ==> begin x := i; end;
end;
