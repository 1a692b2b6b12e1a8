type node: scalarset(3);
var seen: node; ready: array [node] of boolean;
function look(n: node): boolean;
begin
  seen := n;
  return ready[n];
end;
startstate begin
  for n: node do ready[n] := false; end;
  undefine seen;
end;
rule "look" begin
  if exists n: node do look(n) end then undefine seen; end;
end;
rule "ready" begin
  for n: node do ready[n] := true; end;
end;
