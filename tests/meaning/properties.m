-- Assumptions, covers and invariants in rulesets, aliases and choices; functions that assume and cover; a priority.
type I: 0..2;
var x: array [I] of 0..2; m: multiset [3] of 0..2; n: 0..6;
function covering(i: I): boolean; begin cover "in f" x[i] = 2; return true; end;
function assuming(i: I): boolean; begin assume n != 5; return true; end;
startstate begin for i: I do x[i] := 0; end; n := 0; multisetadd(n0(), m); end;
function n0(): 0..2; begin return 0; end;
ruleset i: I do startstate begin for j: I do x[j] := 0; end; x[i] := 1; n := 0; end; end;
ruleset i: I do alias a: x[i] do startstate begin for j: I do x[j] := 0; end; a := 1; n := 0; end; end; end;
ruleset i: I; j: I do
  rule "r" covering(i) & assuming(j) & x[i] < 2 & i = j ==> begin x[i] := x[i] + 1; end;
end;
rule "n" n < 6 ==> begin n := n + 1; assume n != 3 | x[0] = 2; end;
rule 1 "late" ==> begin for i: I do x[i] := 0; end; n := 0; undefine m; end;
ruleset i: I do assume "tot" x[i] < 2 | x[(i + 1) % 3] < 2; end;
ruleset i: I do cover "c" x[i] = 2 & n = 4; alias a: x[i] do cover "ca" a = 1; invariant "inv" a >= 0; end; end;
choose c: m do invariant "bag" m[c] < 3; cover "bagc" m[c] = 0; end;
assert "as" n <= 6;
