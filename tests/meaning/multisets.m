-- Multisets in arrays, records and multisets; local ones; nested counts and choices.
type M: multiset[3] of 0..3; R: record k: 0..3; in: M; end; N: multiset[2] of R;
var m: M; n: N; a: array[0..1] of M; x: 0..9; y: 0..3;
function total(q: M): 0..9; var c: 0..9; begin c := 0; for i := 0 to 3 do c := c + i * multisetcount(j: q, q[j] = i); end; return c; end;
function mk(k: 0..3): M; var l: M; z: 0..3; begin z := k; multisetadd(z, l); multisetadd(z, l); return l; end;
startstate begin x := 0; y := 0; end;
rule "t" x = 0 ==> var l: M; r: R; z: 0..3; begin
  z := 2; multisetadd(z, l); z := 1; multisetadd(z, l); z := 3; multisetadd(z, l);
  assert total(l) = 6; m := l; assert m = l;
  multisetremovepred(i: l, l[i] = 1); assert total(l) = 5; z := 0; multisetadd(z, l); assert multisetcount(i: l, true) = 3;
  assert m != l; a[0] := l; multisetremovepred(i: a[0], a[0][i] = 0); multisetremovepred(i: a[0], false); multisetadd(z, a[0]); assert a[0] = l;
  assert total(mk(2)) = 4;
  r.k := 1; r.in := l; multisetadd(r, n); r.k := 0; undefine r.in; multisetadd(r, n);
  assert multisetcount(i: n, multisetcount(j: n[i].in, n[i].in[j] = n[i].k + 2) = 1) = 1;
  multisetremovepred(i: n, multisetcount(j: n[i].in, true) = 0); assert multisetcount(i: n, true) = 1;
  assert multisetcount(i: n, n[i].k = 1 & multisetcount(i: m, m[i] = 2) = 1) = 1;
  r.k := 1; r.in := m; multisetadd(r, n);
  -- the two elements in another order of their inner slots
  x := 1;
end;
choose i: n do choose j: n[i].in do rule "u" x = 1 ==> begin multisetremove(j, n[i].in); x := 2; end; end; end;
choose i: n do rule "v" x = 2 ==> begin n[i].k := 3; x := 3; end; end;
choose i: m do alias e: m[i] do choose j: a[0] do rule "w" x = 3 & e >= a[0][j] & y < 3 ==> begin y := y + 1; multisetremove(i, m); if multisetcount(k: a[0], true) > 1 then multisetremove(j, a[0]) end; end; end; end; end;
rule "reset" x = 3 ==> begin undefine n; clear m; clear a; x := 0; y := 0; end;
invariant multisetcount(i: m, true) < 4;
choose i: m do invariant "in" m[i] < 4; end;
