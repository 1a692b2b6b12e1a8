-- Invariants, assumptions and covers that call functions which use globals as scratch: each instance finds the state as it
-- is, and nothing of what it writes stays.
type
  index: 0..2;

var
  a: array [index] of 0..3;
  total: 0..15;
  seen: array [index] of boolean;
  bag: multiset [3] of 0..3;
  count: 0..3;

-- The sum of all, gathered in a global.
function sum(): 0..15;
begin
  for i: index do
    total := total + a[i];
  end;
  return total;
end;

-- Whether it is asked for the first time.
function first(i: index): boolean;
begin
  if seen[i] then
    return false;
  end;
  seen[i] := true;
  return true;
end;

function left_after_drain(): 0..3;
begin
  multisetremovepred(k: bag, true);
  return multisetcount(k: bag, true);
end;

startstate
begin
  for i: index do
    a[i] := 0;
    seen[i] := false;
  end;
  total := 0;
  count := 0;
end;

ruleset i: index do
  rule "up" a[i] < 2 ==>
  begin
    a[i] := a[i] + 1;
  end;
end;

rule "put" count < 2 ==>
begin
  multisetadd(count, bag);
  count := count + 1;
end;

invariant "sum" sum() < 6 & total = sum() - total + a[0] + a[1] + a[2];
invariant "total is as it was" total = 0;

ruleset i: index do
  invariant "each for itself" first(0) & seen[0] & !first(0);
end;

alias x: seen[1] do
  invariant "an alias sees what was written" !x & first(1) & x;
end;

invariant "drained" left_after_drain() = 0 & multisetcount(k: bag, true) = 0;
invariant "nothing was drained" multisetcount(k: bag, true) = count;

ruleset i: index do
  assume "less" sum() < 6 & first(i) & first((i + 1) % 3);
end;

cover "five" sum() = 5 & total = 5;

ruleset i: index do
  cover "one alone" first(i) & !seen[(i + 1) % 3] & !seen[(i + 2) % 3];
end;
