-- An alias of a bag whose index has changed since.
-- unreduced: violated
type p: scalarset(2); bag: multiset [2] of p;
var ms: array [0..1] of bag; x: 0..1; n: 0..3; ph: 0..4;
startstate begin x := 0; n := 0; ph := 0; undefine ms; end;
ruleset i: p do rule "add0" ph = 0 ==> multisetadd(i, ms[0]); ph := 1; end; end;
ruleset i: p do rule "add0b" ph = 1 & multisetcount(k: ms[0], ms[0][k] = i) = 0 ==> multisetadd(i, ms[0]); ph := 2; end; end;
ruleset i: p do rule "add1" ph = 2 ==> multisetadd(i, ms[1]); ph := 3; end; end;
ruleset i: p do rule "add1b" ph = 3 & multisetcount(k: ms[1], ms[1][k] = i) = 0 ==> multisetadd(i, ms[1]); ph := 4; end; end;
rule "go" ph = 4 & x = 0 ==>
begin
  alias z: ms[x] do
    x := 1;
    n := multisetcount(k: z, z[k] = ms[x][k]);
  end;
end;
invariant "n" n != 0 | x = 0;
