-- Numbers beyond 32 bits where nothing but literals stands around them.
type N: -5000000000..5000000000;
var b: boolean; x: 0..3; m: multiset [5] of 0..3; n: N;
startstate begin b := true; x := 0; multisetadd(x, m); multisetadd(x, m); n := 0; end;
rule "r" x < 3 ==>
begin
  assert (b ? 2000000000 : 1) + (b ? 2000000000 : 1) > 5 "sum";
  assert multisetcount(i: m, true) * 2000000000 > 5 "count";
  assert multisetcount(i: m, true) * 3000000000 > 5 "count";
  assert (b ? 3000000000 : 1) > 2 "big";
  switch (b ? 3000000000 : 2) case 3000000000: x := x + 1; else error "sw"; end;
  n := (b ? 1500000000 : 1) * 2;
  assert n = 3000000000;
  assert -(b ? 2147483647 : 1) - 2 = -2147483649;
  assert ~(b ? 2147483647 : 1) < 0;
  assert !(exists k := (b ? 3000000000 : 1) to 3000000001 do (b ? 2000000000 : 1) + 2000000000 < 0 end);
end;
