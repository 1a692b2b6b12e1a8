-- Six rules and more ask for the value of the same places, which hold it, hold another one, or hold none:
-- each instance fires as if it had been tried by itself.
type
  id: 2..5;
  step: enum { idle, asks, waits, enters, works, leaves };
  node: record pc: step; count: 0..2; end;
var nodes: array [id] of node;
startstate
begin
  for i: id do nodes[i].pc := idle; nodes[i].count := 0; end;
end;
ruleset i: id do
  rule "ask" nodes[i].pc = idle ==> begin nodes[i].pc := asks; end;
  rule "wait" asks = nodes[i].pc ==> begin nodes[i].pc := waits; end;
  rule "enter"
    nodes[i].pc = waits & forall j: id do nodes[j].pc != works end ==>
  begin
    nodes[i].pc := enters;
  end;
  rule "work" nodes[i].pc = enters ==> begin nodes[i].pc := works; end;
  rule "leave" nodes[i].pc = works ==> begin nodes[i].pc := leaves; end;
  ruleset j: id do
    rule "hand over"
      nodes[i].pc = leaves & i != j & nodes[j].pc = idle & nodes[j].count < 2 ==>
    begin
      nodes[i].pc := idle;
      nodes[j].pc := asks;
      nodes[j].count := nodes[j].count + 1;
    end;
  end;
end;
ruleset i: id do
  rule "rest" nodes[i].pc = leaves ==> begin nodes[i].pc := idle; end;
end;
