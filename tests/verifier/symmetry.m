-- Three workers take tokens from a bag; whoever finishes first is remembered. Each option of symmetry reduction has something to
-- do here: 3 workers, a bag of their requests, and with `careful = false` a loop that prefers the worker of the smallest name.
const careful: false;
type
  Worker: scalarset(3);
  Request: record from: Worker; urgent: boolean; end;
var
  requests: multiset [2] of Request;
  busy: array [Worker] of boolean;
  served: array [Worker] of 0..2;
  chosen: Worker;

startstate
begin
  undefine requests;
  undefine chosen;
  for worker: Worker do
    busy[worker] := false;
    served[worker] := 0;
  end;
end;

ruleset worker: Worker; urgent: boolean do
  rule "ask" !busy[worker] & served[worker] < 2 & multisetcount(i: requests, true) < 2 ==>
  var request: Request;
  begin
    request.from := worker;
    request.urgent := urgent;
    multisetadd(request, requests);
    busy[worker] := true;
  end;
end;

choose i: requests do
  rule "serve" true ==>
  var worker: Worker;
  begin
    worker := requests[i].from;
    served[worker] := served[worker] + 1;
    busy[worker] := false;
    multisetremove(i, requests);
  end;
end;

rule "choose" isundefined(chosen) & forall worker: Worker do served[worker] = 1 end ==>
begin
  for worker: Worker do
    if careful | isundefined(chosen) then
      chosen := worker;
    end;
  end;
end;

invariant "not all are served twice"
  exists worker: Worker do served[worker] < 2 end;
