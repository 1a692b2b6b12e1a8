-- A thousand calls deep with 100 kB of variables each.
type B: array [0..99999] of 0..200;
var x: 0..2000;
function f(n: 0..2000; var up: B): 0..2000; var b: B; begin b[n] := 1; up[n] := 2; if n = 0 then return 0; end; if n % 2 = 0 then return f(n - 1, b) + b[n]; end; return f(n - 1, up) + b[n]; end;
startstate begin x := 0; end;
rule "r" x < 3 ==> var u: B; begin assert f(990, u) = 990; x := x + 1; end;
rule "s" x = 3 ==> begin x := 0; end;
