var a: array [0..9] of boolean;
ruleset start := 0 to 6 by 3 do
  startstate "one set" begin clear a; a[start] := true; end;
  ruleset i := 9 to 1 by -2 do
    rule "toggle" a[start] ==> begin a[i] := !a[i]; end;
  end;
  invariant "kept" a[start] | true;
end;
