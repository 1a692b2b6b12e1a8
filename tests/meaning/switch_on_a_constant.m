-- A switch whose subject is a constant, with a case that needs 64 bits.
var b: boolean;

startstate
begin
  b := false;
end;

rule
begin
  switch 0
  case 9223372036854775807:
    error "0 is not this";
  case 0:
    b := !b;
  end;
end;
