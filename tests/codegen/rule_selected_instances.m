type id: 1..3; step: enum { idle, asks, waits, enters, works, leaves };
var pc: array [id] of step;
startstate begin for i: id do pc[i] := idle; end; end;
ruleset i: id do
  rule "ask" pc[i] = idle ==> begin pc[i] := asks; end;
  rule "wait" asks = pc[i] ==> begin pc[i] := waits; end;
  rule "enter" pc[i] = waits & forall j: id do pc[j] != works end ==> begin pc[i] := enters; end;
  rule "work" pc[i] = enters ==> begin pc[i] := works; end;
  rule "leave" pc[i] = works ==> begin pc[i] := leaves; end;
  ruleset j: id do
    rule "hand over" pc[i] = leaves & pc[j] = idle ==> begin pc[i] := idle; pc[j] := asks; end;
  end;
end;
