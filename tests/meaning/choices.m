-- Multisets of a scalarset behind aliases and var parameters; switches on constants.
const BB: true; EE: 3;
type S: scalarset(3); M: multiset [3] of S; A: array [S] of M; E: enum { P, Q }; R: record s: S; m: M; end; C: E;
var a: A; x: 0..5; e: E; r: array [E] of R; z: array [boolean] of boolean; i: 0..3;
function choose1(c: boolean; p, q: R): R; begin return (c ? p : q); end;
function isu(p: S): boolean; begin return isundefined(p); end;
procedure move(var from, into: M; s: S); begin multisetremovepred(k: from, from[k] = s); multisetadd(s, into); end;
procedure selfadd(var mm: M); var c: 0..3; begin c := multisetcount(k: mm, true); if c > 0 & c < 3 then for k := 1 to 3 - c do multisetadd(mmfirst(mm), mm) end; end; end;
function mmfirst(mm: M): S; begin for s: S do if multisetcount(k: mm, mm[k] = s) > 0 then return s; end; end; error "none"; end;
startstate begin x := 0; e := P; z[true] := BB; z[false] := !BB; i := 0; end;
ruleset s: S; t: S do
  alias net: a[s] do
    choose j: net do
      alias v: net[j] do
        rule "mv" v != s & x < 3 ==> begin move(net, a[s], s); x := x + 1; end;
        rule "dup" v = t & x < 3 & multisetcount(k: net, true) = 1 ==> begin multisetadd(net[j], net); assert multisetcount(k: net, net[k] = v) = 2; x := x + 1; end;
        rule "isu" x = 3 & t = s ==> begin assert !isundefined(v) & !isu(v); r[P].s := v; r[P].m := net; r[Q] := choose1(v = s, r[P], r[Q]); x := 4; end;
      end;
    end;
    rule "add" multisetcount(k: net, true) = 0 & x < 3 ==> begin multisetadd(t, net); x := x + 1; end;
    rule "self" x = 2 & s = t ==> begin selfadd(net); x := 3; end;
  end;
  rule "z" isundefined(s) ==> begin error "never" end;
end;
ruleset q: E; v: boolean do
  rule "sw" x = 4 & e = P ==>
  begin
    switch v case true: z[v] := false; case false: z[!v] := true; end;
    switch 3 case 1: error "one"; case EE: i := 3; end;
    if !BB then error "dead"; elsif q = P then i := 1; end;
    while !BB do end;
    if isundefined(v) | isundefined(q) then error "u" end;
    switch q case P: e := Q; case Q: e := Q; end;
    alias qq: q; vv: !v do if vv then assert !v; else assert v; end; assert qq = q; end;
    x := 5;
  end;
end;
rule "reset" x = 5 ==> begin undefine a; x := 0; e := P; z[true] := BB; z[false] := !BB; i := 0; undefine r; end;
rule "stuck" x = 4 & e = Q ==> begin x := 5; end;
rule "skip" x = 3 ==> begin x := 5; end;
invariant "n" forall s: S do multisetcount(k: a[s], true) <= 3 end;
