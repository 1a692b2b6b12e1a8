-- Slots of multisets inside multisets are compared.
-- unreduced: violated
type p: scalarset(2); inner: multiset [2] of p; rec: record d: p; b: inner; end; outer: multiset [2] of rec;
var m: outer; x: 0..1; n: 0..3; ph: 0..4; y: p;
startstate begin x := 0; n := 0; ph := 0; undefine y; end;
ruleset i: p do ruleset j: p do rule "add" multisetcount(k: m, true) < 2 & multisetcount(k: m, m[k].d = i) = 0 ==> var r: rec; begin undefine r; r.d := i; multisetadd(j, r.b); for q: p do if q != j then multisetadd(q, r.b); end; end; multisetadd(r, m); end; end; end;
choose k: m do
  choose l: m do
    choose s: m[k].b do
      rule "go" k != l & x = 0 ==> begin x := 1; n := multisetcount(t: m[l].b, t = s & m[l].b[t] = m[k].b[s]) + 1; end;
    end;
  end;
end;
invariant "n" n != 1;
