-- Bags in arrays, bags of records with undefined fields: counted as CMurphi counts them.
type V: 0..3; K: 0..9; M: multiset [3] of V; R: record k: V; w: V; end; N: multiset [3] of R; AM: array [V] of M;
var m: M; n: N; a: AM; x: K; y: V;
startstate begin x := 0; y := 0; end;
ruleset v: V do
  rule "add" multisetcount(i: m, true) < 3 & v < 3 ==> var z: V; begin z := v; multisetadd(z, m); end;
  rule "addn" multisetcount(i: n, true) < 2 & v < 2 ==> var r: R; begin r.k := v; if v = 0 then r.w := y; end; multisetadd(r, n); end;
  choose i: m do rule "move" multisetcount(j: a[v], true) < 2 & m[i] >= v & v < 1 ==> begin multisetadd(m[i], a[v]); multisetremove(i, m); end; end;
end;
choose i: m do choose j: m do rule "pair" i != j & m[i] = m[j] ==> begin multisetremove(i, m); m[j] := (m[j] + 1) % 3; end; end; end;
choose i: n do
  rule "upd" n[i].k = 0 ==> begin n[i].w := (n[i].w + 1) % 3; y := n[i].w; multisetremovepred(j: n, n[j].k = 1); end;
  rule "del" n[i].k = 1 ==> begin multisetremove(i, n); end;
end;
