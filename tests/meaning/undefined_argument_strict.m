-- Copying an undefined variable is an error with --strict-undefined; passing one is not.
var
  source: boolean;
  tick: boolean;

function is_missing(x: boolean): boolean;
begin
  return isundefined(x);
end;

startstate
begin
  undefine source;
  tick := false;
end;

rule
begin
  assert is_missing(source) "the parameter is undefined";
  assert is_missing(undefined) "so is this one";
  tick := !tick;
end;
