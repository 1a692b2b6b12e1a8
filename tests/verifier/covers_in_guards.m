-- Covers in functions that a guard and an alias around a rule call, of which no part depends on the parameter but `f`.
var n: 0..3; a: array [0..1] of 0..3;
function f(k: 0..1): 0..1; begin cover "each instance" n >= 0; return k; end;
function g(): boolean; begin cover "each that is asked" true; return true; end;
function h(): boolean; begin cover "not at first" n > 0; return true; end;
startstate begin n := 0; a[0] := 0; a[1] := 0; end;
ruleset k: 0..1 do
  alias x: a[f(k)] do
    rule "step" n < 3 & g() & h() ==> begin x := 2; n := n + 1; end;
  end;
end;
