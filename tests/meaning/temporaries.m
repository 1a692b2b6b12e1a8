-- Fields of results, quantifiers as operands, counts and conditionals: in every kind of statement.
type T: 0..3; R: record a: T; b: array[T] of T; f: boolean; end; M: multiset[2] of T; E: enum {A, B}; G: enum {C}; U: union {E, G};
var x: T; g: R; m: M; k: 0..9;
function mk(v: T): R; var r: R; begin r.a := v; for i: T do r.b[i] := (v + i) % 4; end; r.f := v = 1; return r; end;
function bag(v: T): M; var l: M; begin multisetadd(v, l); return l; end;
function un(v: T): U; begin if v = 0 then return A; elsif v = 1 then return B; end; return C; end;
startstate begin x := 0; g := mk(0); k := 0; end;
rule "all" mk(x).a = x & (forall i: T do mk(i).b[0] = i end) & mk(mk(x).a).b[mk(1).a] = (x + 1) % 4 & x < 3 ==> var l: R; begin
  if mk(1).f then x := x; else error "no" end; if !mk(2).f & mk(1).f then x := x; else error "no2" end;
  if (forall i: T do i < 4 end) & (exists i: T do i = 3 end) | false then x := x; else error "no3" end;
  if (forall i: T do i < 4 end) = (exists i: T do i = 3 end) then x := x; else error "no4" end;
  if forall i: T do exists j: T do mk(i).b[j] = 0 end end then x := x; else error "no5" end;
  k := 0; while mk(k).a < 3 do k := k + 1; end; assert k = 3;
  for i := mk(1).a to mk(2).b[1] by mk(1).a do k := k + i; end; assert k = 9;
  switch mk(2).a case mk(2).b[0]: k := 1; else error "no6" end;
  switch (exists i: T do i = 3 end) case true: k := 2; else error "no7" end;
  assert (mk(1).f ? mk(2).a : mk(3).a) = 2; assert (exists i: T do i = 3 end ? 1 : 0) = 1; k := (mk(1).f ? mk(2).a : mk(3).a) + mk(1).a; assert k = 3;
  alias q: mk(2).b; w: mk(3).a; z: mk(1) do assert q[1] = 3 & w = 3 & z.f & z.b[3] = 0; end;
  l := mk(1); l.b := mk(2).b; l.b[mk(1).a] := mk(2).a; assert l.b[1] = 2 & l.b != mk(2).b; l.f := mk(1).f; assert l.f; l.f := !mk(1).f; assert !l.f;
  assert mk(1) = mk(1) & mk(1).b = mk(1).b & !(mk(1) != mk(1)) & (mk(1) = mk(2) -> false); assert (x = 9 ? mk(1) : mk(2)) = mk(2);
  m := bag(2); assert m = bag(2) & m != bag(1); undefine m;
  assert ismember(un(0), E) & !ismember(un(2), E) & ismember(un(2), G) & un(1) = B & un(2) = C & A = un(0); switch un(1) case A: error "no8"; case B: k := 0; case C: error "no9"; end;
  if isundefined(mk(0).a) then error "u" end; put mk(1).a; put mk(1).f = true; put x + 1; put g; put g.b; put un(1); put "{}\t\"q\"\n";
  x := x + 1; k := 0;
end;
rule "r" mk(x).a = 3 ==> begin x := 0; end;
invariant mk(x).a = x; invariant (forall i: T do i < 4 end) -> x < 4; invariant mk(1).f & (mk(2).f | !mk(3).f); cover mk(x).b[0] = 3;
