-- An alias around a rule is entered before the guard is evaluated: a guard that is false does not
-- keep the error in the alias from happening, whichever parameters stand around them.
var
  divisor: 0..2;
  moved: boolean;

startstate
begin
  divisor := 1;
  moved := false;
end;

rule "count down" divisor > 0 ==>
begin
  divisor := divisor - 1;
end;

ruleset choice: boolean do
  alias quotient: 2 / divisor do
    rule "never enabled" moved & quotient = 1 ==>
    begin
      moved := choice;
    end;
  end;
end;
