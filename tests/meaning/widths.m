-- Every width of storage, and loops at the edge of 64 bits.
type W: -9223372036854775807..9223372036854775807; X: -9223372036854775808..9223372036854775806; Y: -1..65534; Z: 0..4294967295; O: 5..5; Q: 0..255; P: -128..126; K: 0..65535; E: 0..4294967294;
var w: W; x: X; y: Y; z: Z; o: O; q: Q; p: P; k: K; e: E; n: 0..20;
startstate begin n := 0; undefine w; end;
rule "a" n = 0 ==>
var c: 0..9;
begin
  w := -9223372036854775807;
  assert w < 0 & w = -9223372036854775807;
  w := 9223372036854775807;
  assert w - 1 = 9223372036854775806;
  x := -9223372036854775808;
  assert x - (-9223372036854775807) = -1;
  x := 9223372036854775806;
  c := 0;
  for i := 9223372036854775805 to 9223372036854775807 do c := c + 1; end;
  assert c = 3;
  c := 0;
  for i := w - 2 to w do c := c + 1; end;
  assert c = 3;
  c := 0;
  for i := w to w - 2 by -1 do c := c + 1; end;
  assert c = 3;
  c := 0;
  for i := -9223372036854775808 to 9223372036854775807 by 9223372036854775807 do c := c + 1; end;
  assert c = 3;
  c := 0;
  for i := c + 3 to c do error "empty" end;
  for i := 3 to 1 do error "empty2" end;

  n := 1;
end;
rule "a1" n = 1 ==>
var c: 0..99;
begin
  c := 0;
  for i := 3 to 1 by -1 do c := c * 2 + i; end;
  assert c = 17;
  assert exists i := 1 to c by 5 do i = 16 end;
  assert !(exists i := 1 to c by 5 do i = 17 end);
  assert forall i := c to 10 by -3 do i % 3 = 2 end;
  assert forall i := c to 10 do false end;
  n := 2;
end;
rule "b" n = 2 ==> begin y := -1; z := 0; o := 5; q := 0; p := -128; k := 0; e := 0; w := -9223372036854775807; n := 3; end;
rule "c" n = 3 ==> begin y := 65534; z := 4294967295; q := 255; p := 126; k := 65535; e := 4294967294; x := -9223372036854775808; n := 4; end;
rule "d" n = 4 ==> begin assert y = 65534 & z = 4294967295 & o = 5 & q = 255 & p = 126 & k = 65535 & e = 4294967294 & x = -9223372036854775808 & w = -9223372036854775807; clear y; clear z; clear o; clear q; clear p; clear k; clear e; clear x; clear w; n := 5; end;
rule "e" n = 5 ==> begin assert y = -1 & z = 0 & o = 5 & q = 0 & p = -128 & k = 0 & e = 0 & w = x + 1; undefine w; undefine x; undefine o; n := 6; end;
rule "f" n = 6 ==> begin assert isundefined(w) & isundefined(x) & isundefined(o); undefine y; undefine z; undefine q; undefine p; undefine k; undefine e; n := 0; end;
ruleset i := -9223372036854775808 to 9223372036854775807 by 4611686018427387904; j := 2 to 0 by -1; t: O do
  rule "big" n = 6 & j = 2 & i > 0 ==> begin w := i; x := i - 1; n := 7; end;
end;
rule "g" n = 7 ==> begin assert w = 4611686018427387904 & x = w - 1; undefine w; undefine x; undefine y; undefine z; undefine q; undefine p; undefine k; undefine e; n := 0; end;
