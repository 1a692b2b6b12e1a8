-- Three workers take tokens from a bag; one of those that are done is chosen. Symmetric, in the workers and in the bag of their requests.
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

ruleset worker: Worker do
  rule "choose" isundefined(chosen) & forall other: Worker do served[other] = 1 end ==>
  begin
    chosen := worker;
  end;
end;

invariant "not all are served twice"
  exists worker: Worker do served[worker] < 2 end;
