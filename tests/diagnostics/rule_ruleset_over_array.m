var a: array [0..3] of boolean;
startstate begin clear a; end;
ruleset i: a do
  rule "step" a[i] ==> begin a[i] := false; end;
end;
