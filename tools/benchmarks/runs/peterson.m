-- Peterson's algorithm for n processes with a counter that makes the graph larger, without
-- properties: docs/internals/temporal.md says which are added to it for measuring.
const
  n: 5;
  ticks: 31;
type
  pid: 1..n;
var
  at: array [pid] of enum { idle, announce, waiting, critical };
  level: array [pid] of 0..n - 1;
  turn: array [1..n - 1] of pid;
  tick: 0..ticks;
startstate
begin
  for i: pid do
    at[i] := idle;
    level[i] := 0;
  end;
  for k := 1 to n - 1 do turn[k] := 1; end;
  tick := 0;
end;
ruleset i: pid do
  rule "begin" at[i] = idle ==> begin level[i] := 1; at[i] := announce; end;
  rule "announce" at[i] = announce ==> begin turn[level[i]] := i; at[i] := waiting; end;
  rule "pass" at[i] = waiting
    & (turn[level[i]] != i | forall k: pid do k = i | level[k] < level[i] end) ==>
  begin
    if level[i] = n - 1 then
      at[i] := critical;
      tick := (tick + 1) % (ticks + 1);
    else
      level[i] := level[i] + 1;
      at[i] := announce;
    end;
  end;
  rule "leave" at[i] = critical ==> begin level[i] := 0; at[i] := idle; end;
end;
