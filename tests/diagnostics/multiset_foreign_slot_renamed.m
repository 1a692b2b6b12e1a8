type bag: multiset [2] of 1..2;
var left: bag; right: bag; n: 0..2;
startstate begin n := 0; end;
choose slot: left do alias other_name: slot do
  rule "a slot of the left one" begin n := right[other_name]; end;
end; end;
