type node: scalarset(3);
var leader: node; queue: array [0..2] of node; length: 0..3; ready: array [node] of boolean;
procedure stand_up(n: node);
begin
  if isundefined(leader) then leader := n; end;
end;
function first_ready(): node;
begin
  for n: node do if ready[n] then return n; end; end;
  error "nobody is ready";
end;
startstate begin
  for n: node do ready[n] := true; end;
  undefine leader; undefine queue; length := 0;
end;
rule "the first one leads" isundefined(leader) ==> begin
  for n: node do stand_up(n); end;
end;
rule "queue up" length = 0 ==> begin
  for n: node do queue[length] := n; length := length + 1; end;
end;
rule "serve" length > 0 ==> begin ready[first_ready()] := false; end;
