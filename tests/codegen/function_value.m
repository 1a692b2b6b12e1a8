var x: 0..9;
function bounded(n: 0..99; limit: 0..9): 0..9;
begin
  if n > limit then return limit; end;
  return n;
end;
startstate begin x := bounded(50, 3); end;
rule "step" bounded(x, 9) < 9 ==> begin x := bounded(x + 1, 9); end;
