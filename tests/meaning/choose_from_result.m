-- A multiset in what a function returns can be chosen from, around rules and around properties.
type B: multiset [2] of 0..1; R: record m: B; a: array [0..1] of 0..1; end;
var r: R; n: 0..3;
function f(): R; begin return r; end;
startstate begin n := 0; clear r; multisetadd(1, r.m); end;
choose i: f().m do rule "step" n < 2 ==> begin n := n + 1; end; end;
alias x: f().a[0] do rule "last" n = 2 & multisetcount(i: f().m, true) = 1 ==> begin alias y: f().a do n := n + 1 + y[0] + x; end; end; end;
choose i: f().m do invariant n < 4 & multisetcount(j: r.m, r.m[j] = 1) = 1; end;
