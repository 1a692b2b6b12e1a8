-- Unions and their members: assigned, compared, as an index, an argument, a result, a case.
type S: scalarset(2); E: enum{a,b}; G: enum{g,h}; U: union{S,E}; V: union{E,G}; W: union{U,G};
var u: U; v: V; w: W; s: S; e: E; x: 0..20; ar: array[U] of 0..5; as: array[S] of 0..5; ae: array[E] of 0..5; aw: array[W] of 0..9;
function toU(k: U): U; begin return k; end;
function toE(k: E): E; begin return k; end;
function wide(k: W): W; begin return k; end;
function isE(k: W): boolean; begin return ismember(k, E); end;
startstate begin x := 0; u := a; v := g; w := h; undefine s; e := b; for i: U do ar[i] := 0; end; for i: S do as[i] := 1; end; ae[a] := 2; ae[b] := 3; for i: W do aw[i] := 0; end; end;
ruleset p: S; q: S do
rule "t" x = 0 ==> begin
  assert u = a; assert u != b; assert u = toE(a); assert !(u = p);
  assert u != v; v := a; assert u = v; v := b; assert u != v; u := v; assert u = b & e = u;
  e := u; assert e = b; u := p; assert u = p & (u = q) = (p = q);
  s := u; assert s = p; assert as[u] = 1; assert !ismember(u, E) & ismember(u, S);
  ar[p] := 5; assert ar[u] = 5; ar[b] := 3; u := b; assert ar[u] = 3; assert ar[e] = 3; assert ae[u] = 3;
  w := u; assert w = b; w := p; assert w = s; u := w; assert u = p; w := g; assert w = g; v := w; assert v = g;
  assert wide(p) = p; assert wide(g) = v; assert wide(e) = e; assert toE(toU(e)) = e;
  assert isE(e) & !isE(p) & isE(toU(b)) & !isE(g);
  switch w case a: error "a"; case b: error "b"; case g, h: x := 1; else error "else" end;
  switch w case e: error "e"; case v: x := 2; end;
  switch u case p: x := x + 1; case a, b: error "x"; end;
  switch e case u: error "u"; case a: error "a"; case w: error "w"; else x := x + 1; end;
  assert x = 4;
  undefine u; assert !ismember(u, S) & !ismember(u, E); w := u; assert isundefined(w); e := u; assert isundefined(e);
  aw[p] := 1; aw[a] := 2; aw[h] := 3; w := h; assert aw[w] = 3; v := h; assert aw[v] = 3; v := a; assert aw[v] = 2; assert aw[p] = 1;

  u := a; v := g; w := h; undefine s; e := b; for i: U do ar[i] := 0; end; for i: W do aw[i] := 0; end;
end; end;
rule "c" x = 4 ==> begin x := 5; u := (x = 5 ? a : b); end;
rule "c2" x = 5 ==> begin x := 0; end;
