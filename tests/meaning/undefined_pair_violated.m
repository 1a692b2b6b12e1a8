-- Two owners that are both undefined are equal: an invariant over pairs that forgets this does not hold once two are undefined.
type
  id: 0..3;
  node: scalarset(4);

var
  owner: array [id] of node;
  done: array [node] of boolean;
  ready: boolean;

startstate
begin
  for n: node do done[n] := false; end;
  ready := false;
end;

ruleset i: id; n: node do
  rule "own" isundefined(owner[i]) & !done[n] & !ready ==> begin owner[i] := n; done[n] := true; end;
end;
rule "go" !ready & (forall n: node do done[n] end) ==> begin ready := true; end;
ruleset i: id do
  rule "leave" ready ==> begin undefine owner[i]; end;
end;

invariant "owners differ" forall i: id do forall j: id do !ready | i = j | owner[i] != owner[j] end end;
