-- An invariant is evaluated after a rule if the rule may write what it reads, by whatever name.
type
  index: 0..1;
  part: record one, two: 0..9; end;
var
  a, b, c: array [index] of part;
  plain, deep, passed, named, guarded: 0..9;
  bag: multiset [2] of 0..9;
  i: index;

procedure pass(var place: 0..9); begin place := 1; end;
procedure sink(n: 0..9); begin if n = 0 then deep := 1; else sink(n - 1); end; end;
function asks(): boolean; begin guarded := 1; return plain = 0; end;

startstate
begin
  clear a;
  clear b;
  clear c;
  c[0].two := 5;
  plain := 0;
  deep := 0;
  passed := 0;
  named := 0;
  guarded := 0;
  i := 0;
end;

rule "field" begin a[0].two := 1; end;
rule "element" begin a[i].one := 1; end;
rule "whole" begin b := c; end;
rule "reference" begin pass(passed); end;
rule "recursion" begin sink(3); end;
rule "alias" begin alias x: named do x := 1; end; end;
rule "guard" asks() ==> begin end;
rule "bag" begin multisetadd(1, bag); end;
rule "index" begin i := 1; end;
rule "undefined" begin undefine c[1].two; end;

invariant "field" a[0].two = 0;
invariant "elements" forall k: index do a[k].one = 0 end;
invariant "whole" b[0].two = 0 & b[0].one = 0;
invariant "reference" passed = 0;
invariant "recursion" deep = 0;
invariant "alias" named = 0;
invariant "guard" guarded = 0;
invariant "bag" multisetcount(k: bag, true) = 0;
invariant "by index" c[i].one + i < 1;
invariant "undefined" !isundefined(c[1].two);
