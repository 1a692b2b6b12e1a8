-- Interchangeable processes and messages, large states.
const n: 4; wide: 1900;
type process: scalarset(n); step: enum { idle, asking, holding };
var
  at: array [process] of step;
  asked: multiset [n] of record from: process; end;
  ballast: array [1..wide] of 0..1099511627776;

startstate
begin
  for i: process do at[i] := idle; end;
  undefine asked;
  for i := 1 to wide do ballast[i] := 0; end;
end;

ruleset i: process do
  rule "ask" at[i] = idle ==>
  var message: record from: process; end;
  begin
    at[i] := asking;
    message.from := i;
    multisetadd(message, asked);
  end;
  rule "leave" at[i] = holding ==> begin at[i] := idle; end;
  rule "give up" at[i] = asking ==>
  begin
    at[i] := idle;
    multisetremovepred(m: asked, asked[m].from = i);
  end;
end;

choose m: asked do
  rule "grant" forall i: process do at[i] != holding end ==>
  begin
    at[asked[m].from] := holding;
    multisetremove(m, asked);
  end;
end;

invariant "one holds" forall i: process do forall j: process do at[i] = holding & at[j] = holding -> i = j end end;
