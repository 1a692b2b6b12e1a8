-- Large states, so that few successors fit into a piece: rules that lead on, rules that change nothing, rules whose successors are
-- left out, a cover in a body.
const n: 6; wide: 1900;
var
  cell: array [0..n - 1] of boolean;
  ballast: array [1..wide] of 0..1099511627776;

function ready(i: 0..n - 1): boolean;
begin
  return cell[i];
end;

startstate "all off" begin for i := 0 to n - 1 do cell[i] := false; end; for i := 1 to wide do ballast[i] := 0; end; end;

ruleset i: 0..n - 1 do
  startstate "one on"
  begin
    for k := 0 to n - 1 do cell[k] := k = i; end;
    for k := 1 to wide do ballast[k] := 0; end;
  end;
end;

ruleset i: 0..n - 1 do
  rule "flip" true ==> begin cell[i] := !cell[i]; end;
  rule "set" true ==> begin cell[i] := true; end;
  rule "stay" ready(i) ==> begin cell[i] := cell[i]; end;
  rule "next" cell[i] & !cell[(i + 1) % n] ==>
  begin
    cell[i] := false;
    cell[(i + 1) % n] := true;
    cover "moved" i = 2;
  end;
  rule "forbidden" !cell[i] ==> begin assume i != 3; cell[i] := true; ballast[1] := 0; end;
end;

ruleset i: 0..n - 1; j: 0..n - 1 do
  rule "swap" i < j ==> var k: boolean; begin k := cell[i]; cell[i] := cell[j]; cell[j] := k; end;
end;

invariant "never all" exists i: 0..n - 1 do !cell[i] end | ballast[wide] = 0;
