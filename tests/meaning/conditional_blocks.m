-- The arms of a conditional are expressions that begin with loops: counting, quantifiers, comparisons of these.
type
  Small: 0..2;
  Bag: multiset [3] of Small;
var
  bag: Bag;
  flag: boolean;
  size: 0..3;

startstate
begin
  undefine bag;
  flag := true;
  size := 0;
end;

ruleset value: Small do
  rule "add" multisetcount(i: bag, true) < 3 ==>
  begin
    multisetadd(value, bag);
    size := flag ? multisetcount(i: bag, true) : multisetcount(j: bag, true) + 0;
    flag := flag ? exists v: Small do multisetcount(i: bag, bag[i] = v) > 1 end
      : multisetcount(i: bag, multisetcount(j: bag, bag[j] = bag[i]) = 1) = 1;
  end;
end;

rule "empty" multisetcount(i: bag, true) = 3 ==>
begin
  undefine bag;
  size := 0;
  flag := flag ? forall v: Small do v <= 2 end = true : size = 0;
end;

invariant "counted" flag ? multisetcount(i: bag, true) = size : multisetcount(i: bag, multisetcount(j: bag, true) = 0) = 0;
