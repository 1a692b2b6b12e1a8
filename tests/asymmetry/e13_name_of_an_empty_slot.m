-- A name of what was removed is read by who comes first.
-- unreduced: violated
type p: scalarset(2);
var a: array [p] of 0..2; ph: 0..1; b: boolean; m: multiset [1] of 0..1;
startstate begin for i: p do a[i] := 0; end; ph := 0; b := true; multisetadd(1, m); end;
ruleset i: p do ruleset v: 1..2 do rule "set" ph = 0 & a[i] = 0 & (forall j: p do a[j] != v end) ==> a[i] := v; end; end; end;
choose k: m do
  alias e: m[k] do
    rule "go" ph = 0 & (forall i: p do a[i] != 0 end) ==> begin ph := 1; multisetremove(k, m); for i: p do b := b & (a[i] = 1 & e = 1); end; end;
  end;
end;
invariant "n" ph < 2;
