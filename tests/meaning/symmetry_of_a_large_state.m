-- A state of more than 64 KiB: its scalarset is renamed by the tables, as nobody would want to read the code.
type
  Node: scalarset(3);
  Wide: 0..100000;
var
  memory: array [0..20000] of Wide;
  owner: array [Node] of boolean;
  last: Node;

startstate
begin
  clear memory;
  for node: Node do owner[node] := false; end;
  undefine last;
end;

ruleset node: Node do
  rule "take" !owner[node] ==>
  begin
    owner[node] := true;
    last := node;
    memory[7] := memory[7] + 1;
  end;
end;
