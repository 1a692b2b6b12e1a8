-- The first loop tells processors apart, so only resources are reduced. States and rules are those of the same
-- model in which processors are numbers.
type p: scalarset(2); q: scalarset(3);
var owner: array [q] of p; seen: array [p] of array [q] of boolean; first: p; last: q; bag: multiset [2] of q;
startstate
begin
  undefine owner;
  undefine first;
  undefine last;
  undefine bag;
  for i: p do for r: q do seen[i][r] := false; end; end;
end;
ruleset i: p; r: q do
  rule "take" isundefined(owner[r]) ==> begin owner[r] := i; end;
  rule "look" !isundefined(owner[r]) & owner[r] = i & !seen[i][r] ==> begin seen[i][r] := true; last := r; end;
  rule "leave" seen[i][r] & !isundefined(owner[r]) & owner[r] = i & multisetcount(k: bag, true) < 2 ==>
  begin
    undefine owner[r];
    multisetadd(r, bag);
    for j: p do if isundefined(first) then first := j; end; end;
  end;
end;
choose k: bag do rule "drop" true ==> begin multisetremove(k, bag); end; end;
