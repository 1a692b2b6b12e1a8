-- Evaluation order, shadowing, returns, temporaries, comparisons, undefined parts.
const N: 3; NEG: -1000000;
type I: 0..N; J: -2..2; B: array[boolean] of I; R: record r: record a: I; b: array[J] of I; end; f: boolean; end; E: enum {A, C, D};
var x: I; a: array[J] of I; b: B; rs: array[5..6] of R; e: E; ae: array[E] of E; calls: 0..9; t: boolean;
function find(k: I): J; begin for i: J do alias q: a[i] do switch q case k: return i; end; end; end; return -2; end;
function side(k: I): I; begin calls := (calls + 1) % 10; return k; end;
function mk(k: I): R; var l: R; begin clear l; l.r.a := k; for j := -2 to 2 do l.r.b[j] := (k + 1) % 4; end; return l; end;
function pick(q: R): I; begin return q.r.b[-1]; end;
function nested(k: I): I; begin while true do for i: I do if i = k then return i; end; end; end; end;
procedure early(k: I); begin x := k; if k > 1 then return; end; x := 0; end;
procedure shadow(x: I); var a: I; begin a := x; for x := 2 to 3 do a := x; alias a: b[true] do a := 1; end; end; calls := a; end;
startstate begin x := 0; for j: J do a[j] := 0; end; clear b; clear rs; e := A; for q: E do ae[q] := q; end; calls := 0; t := true; end;
rule "one" x = 0 & t ==> const M: 2; type L: 0..M; var l: L; k: enum {Z, Y}; begin
  l := 2; k := Y; a[-2] := 1; a[2] := 3; assert find(3) = 2 & find(0) = -1 & find(1) = -2;
  assert side(1) = 1 & calls = 1; if side(1) = 2 | side(2) = 2 then assert calls = 3; else error "no"; end;
  if false & side(1) = 1 then end; assert calls = 3; if true | side(1) = 1 then end; assert calls = 3; if false -> side(1) = 1 then end; assert calls = 3;
  a[side(1)] := side(0); assert calls = 5 & a[1] = 0;
  switch side(2) case 0, side(1): error "a"; case side(2): assert calls = 8; case side(2): error "b"; else error "c"; end; assert calls = 8;
  assert pick(mk(2)) = 3; rs[5] := mk(1); assert rs[5].r.a = 1 & rs[5].r.b[2] = 2 & rs[5] = mk(1) & rs[5] != mk(2); rs[6] := rs[5]; assert rs[5] = rs[6];
  rs[6].r.b[-2] := 0; assert rs[5].r != rs[6].r; rs[6].r := rs[5].r; assert rs[5].r.b = rs[6].r.b;
  assert nested(3) = 3; early(3); assert x = 3; early(1); assert x = 0;
  shadow(1); assert calls = 3 & b[true] = 1 & b[false] = 0; assert b[(x = 0)] = 1; assert b[!(x = 0)] = 0;
  b[false] := 3; assert b[x = 1] = 3;
  alias x: a[2] do x := 2; alias x: rs[5].r do x.a := 3; end; end; assert a[2] = 2 & rs[5].r.a = 3 & x = 0;
  e := D; ae[e] := C; assert ae[ae[e]] = C & ae[D] = C; e := ae[D]; ae[e] := e; assert e = C;
  assert (e = C) = true; assert (x = 0) = (e = C); assert (x = 0) != (e = D); t := (x = 1); assert !t; t := (e = C ? x = 0 : x = 1); assert t;
  assert forall v: boolean do exists q: boolean do v = q end end; assert !(forall v: boolean do v end); assert exists q: E do q = D end;
  assert ! x = 1; assert (x = 0 ? 1 : 2) + 1 = 2; assert -x + 1 > 0 & 2 - -1 = 3 & 2 + 3 * 2 = 8 & 8 - 3 - 2 = 3;
  assert x = 0 -> (x = 1 -> false);
  undefine a; a[0] := 1; assert !isundefined(a[0]) & isundefined(a[1]); undefine a[0]; assert isundefined(a[0]);
  undefine rs[5].r.b; assert isundefined(rs[5].r.b[0]) & !isundefined(rs[5].r.a);
  clear rs; clear b; clear ae; for q: E do ae[q] := q; end; clear a; clear e; calls := 0; x := 1; t := true;
end;
rule "two" x = 1 ==> var i: I; begin i := 0; while i < 3 do i := i + 1; if i = 2 then x := i; return; end; end; error "not here"; end;
rule "three" x = 2 ==> begin x := 3; t := false; end;
rule "four" x = 3 ==> begin x := 3; end;
ruleset i: I; j: J; q: E; v: boolean do
 alias c: a[j] do alias d: ae[q] do
 rule "set" j % 2 = 0 & x = 3 & c < i & v & d = q & i < 3 ==> begin c := i; d := (q = A ? D : A); end;
 invariant "c" c < 3 & (v | !v); end;
 end;
end;
ruleset i: 1..2 do startstate "s" x := 3; for j: J do a[j] := i; end; clear b; clear rs; e := A; for q: E do ae[q] := q; end; calls := 0; t := true; end; end;
