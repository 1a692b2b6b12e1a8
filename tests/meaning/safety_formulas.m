-- Formulas that remember something of the run: the states are counted with it.

type
  process: scalarset(3);
  phase: enum { idle, asks, served };

var
  at: array [process] of phase;
  turns: 0..3;
  opened: boolean;

startstate
begin
  for p: process do at[p] := idle; end;
  turns := 0;
  opened := false;
end;

ruleset p: process do
  rule "ask" at[p] = idle ==> begin at[p] := asks; end;
  rule "serve" at[p] = asks & forall q: process do at[q] != served end ==>
  begin
    at[p] := served;
    opened := true;
  end;
  rule "leave" at[p] = served ==>
  begin
    at[p] := idle;
    if turns < 3 then turns := turns + 1; end;
  end;

  ltl "asked before it is served" [] (at[p] = idle -> (at[p] != served weakuntil at[p] = asks));
  ltl "once" (at[p] != served) weakuntil opened;
end;

ltl "turns only grow" [] forall n: 0..3 do turns >= n -> [] (turns >= n) end;
ltl "at most one" [] forall p: process; q: process do at[p] = served & at[q] = served -> p = q end;
ltl "turns after opening" turns = 0 weakuntil opened;
