-- Arithmetic whose checks may be left out.
type T: 0..7; U: -8..7;
var x: T; y: U; a: array [T] of U; k: 0..40; z: -100..100;
function clampf(v: -1000..1000): T; begin if v < 0 then return 0; end; if v > 7 then return 7; end; return v; end;
startstate begin x := 0; y := -8; for i: T do a[i] := i - 8; end; k := 0; z := 0; end;
ruleset i: T; j: U do
  rule "idx" k < 3 & j - i >= 0 & j / 2 = i & (j % 4) <= i ==>
  begin
    assert a[clampf(j * i)] >= -8;
    assert a[j - i] = j - i - 8;
    for q := i to j do a[q] := a[q]; end;
    for q := j to i by -1 do a[q] := q - 8; end;
    for q := i to j by (i + 1) do assert q <= 7; assert a[q] = q - 8; end;
    alias p: j - i do assert a[p] = p - 8; end;
    x := j % (i + 1);
    y := -(j + 1);
    z := i * j;
    assert ((z + x) & 7) >= 0;
    assert a[(z & 7)] < 0;
    assert a[(j * 13) & 7] <= -1;
    x := (x * 3) % 8;
    x := (j << 1) >> 1;
    x := (j > i ? j : i);
    k := k + 1;
  end;
  rule "neg" k < 3 & j = -8 ==> begin z := -j; assert z = 8; y := j; y := -(y + 8); assert y = 0; z := j / -1; assert z = 8; z := j % -3; assert z = -2; assert ~j = 7; assert (j ^ -1) = 7; assert (j | 1) = -7; k := k + 1; end;
end;
rule k >= 3 ==> begin x := 0; y := -8; z := 0; k := 0; end;
