-- Long walks through states with one successor, reached by several rules, before there is a choice.
const length: 12; wide: 1900; ways: 7;
var
  place: 0..length;
  lane: 0..ways;
  ballast: array [1..wide] of 0..1099511627776;

startstate begin place := 0; lane := 0; for i := 1 to wide do ballast[i] := 0; end; end;

ruleset w: 1..ways do
  rule "choose" place = 0 ==> begin lane := w; place := 1; end;
  rule "same way" place > 0 & place < length ==> begin place := place + 1; end;
end;
rule "back" place = length ==> begin place := 0; lane := 0; end;

invariant "on a way" place = 0 | lane > 0;
