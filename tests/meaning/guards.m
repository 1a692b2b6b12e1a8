-- Conjuncts of a guard that protect those after them, over several parameters, aliases and choices; guards that write.
type I: 0..3;
var a: array [I] of I; x: 0..9; en: boolean; k: I; m: multiset [3] of I; c: 0..9;
function pure(i: I): boolean; begin return a[i] > 1; end;
function bump(): boolean; begin c := (c + 1) % 5; return c != 3; end;
function bumpv(var v: 0..9): boolean; begin v := (v + 1) % 5; return true; end;
startstate begin x := 0; en := false; undefine a; undefine k; c := 0; end;
ruleset i: I; j: I do
  rule "prot" en & a[i] = j & a[j] = i & k = 1 ==> begin x := (x + 1) % 4; end;
  rule "prot2" a_ok() & pure(i) & (j = 1) & pure(j) ==> begin x := (x + 2) % 4; end;
  alias e: a[i]; f: a[j] do
    rule "al" en & i != j & e = f & !isundefined(k) ==> begin f := 0; e := 1; end;
    rule "alx" en & x = 0 & j = 2 & e = 0 ==> begin e := 3; end;
  end;
end;
function a_ok(): boolean; begin return forall i: I do !isundefined(a[i]) end; end;
rule "init" !en ==> begin for i: I do a[i] := i; end; k := 1; en := true; multisetadd(k, m); k := 2; multisetadd(k, m); end;
choose s: m do
  ruleset j: I do
    alias v: m[s] do
      rule "ch" v = j & a[v] != j ==> begin a[v] := j; end;
      choose t: m do rule "ch2" j = 0 & s != t & m[t] < v ==> begin m[t] := v; end; end;
    end;
  end;
end;
ruleset p: 0..1 do
  rule "w" en & bump() & p = 0 ==> begin x := 0; end;
  rule "w2" bumpv(c) & en & c < 4 & p = 1 ==> begin end;
end;
ruleset i: I do alias e: a[i] do invariant "pr" en -> e < 4; end; end;
