-- Indices that follow from a parameter: by arithmetic, a function, a variable that is assigned once.
const n: 4;
type node: 0..n - 1;
var token: array [node] of boolean;
function next(i: node): node; begin if i = n - 1 then return 0 end; return i + 1 end;
startstate begin for i: node do token[i] := i = 0 end end;
ruleset i: node do
  rule "by arithmetic" token[i] ==> begin token[i] := false; token[(i + 1) % n] := true end;
  rule "by a function" token[i] ==> begin token[i] := false; token[next(i)] := true end;
  rule "by a variable" token[i] ==> var goal: node; begin goal := next(next(i)); token[i] := false; token[goal] := true end;
  rule "by a variable that changes" token[i] ==>
  var goal: node;
  begin
    goal := 0;
    goal := goal + 1;
    token[i] := false;
    token[goal] := true
  end;
end;
