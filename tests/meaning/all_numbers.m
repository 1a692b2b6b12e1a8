-- A subrange of all 2^64 numbers: "undefined" needs room of its own beside them.
const low: -9223372036854775808; high: 9223372036854775807;
type
  All: low..high;
  Near: low..high - 1;
  Other: low + 1..high;
  R: record b: boolean; w: All; end;
var x: All; r: R; a: array [0..2] of All; m: multiset [2] of All; bag: multiset [2] of R; near: Near; other: Other; n: 0..9;

function smallest(v: All): All; begin return v < 0 ? v : low; end;
function same(var v: All; w: All): boolean; begin v := w; return v = w; end;

startstate begin n := 0; end;
rule "edges" n = 0 ==>
begin
  assert isundefined(x) & isundefined(a[1]) & isundefined(r.w);
  x := low;
  assert !isundefined(x) & x = low & x < 0 & x - -1 = low + 1;
  x := high;
  assert x = high & x > 0 & x - 1 = high - 1;
  x := -1;
  assert x = -1 & x + 1 = 0 & ~x = 0;
  x := 0;
  assert x = 0 & !isundefined(x);
  clear x;
  assert x = low;
  a[0] := low;
  a[1] := high;
  a[2] := a[0];
  assert a[2] = low & a[1] + a[0] = -1;
  assert smallest(high) = low & smallest(-5) = -5 & same(a[1], 7) & a[1] = 7;
  n := 1;
end;
rule "parts" n = 1 ==>
begin
  r.w := high;
  r.b := true;
  assert r.w = high & r.b;
  multisetadd(high, m);
  multisetadd(low, m);
  multisetadd(r, bag);
  assert multisetcount(i: m, m[i] = high) = 1 & multisetcount(i: m, m[i] = low) = 1;
  near := low;
  other := high;
  x := near;
  assert x = low;
  x := other;
  assert x = high;
  undefine a[1];
  a[0] := a[1];
  assert isundefined(a[0]) & !isundefined(a[2]);
  n := 2;
end;
rule "bags" n = 2 ==>
begin
  multisetremovepred(i: m, m[i] < 0);
  assert multisetcount(i: m, true) = 1;
  undefine x;
  clear a;
  assert a[0] = low & a[1] = low;
  clear r;
  assert r.w = low & !r.b;
  n := 3;
end;
choose i: m do rule "chosen" n = 3 ==> begin assert isundefined(x); x := m[i]; assert x = high; multisetremove(i, m); n := 4; end; end;
ruleset i := low to high by 4611686018427387904 do
  rule "steps" n = 4 & x = high ==> begin x := i; n := 5; end;
end;
rule "collect" n = 5 ==> begin assert x = low | x = low / 2 | x = 0 | x = 4611686018427387904; undefine x; undefine r; n := 6; end;
