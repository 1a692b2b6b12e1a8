-- Whether a rule changed anything is told by the statements that it came to, and by places that are likely to differ. Each way of writing, and of
-- not writing, leads to a state of its own, or to none.
type
  index: 0..2;
  pair: record one, two: 0..3; end;
var
  a: array [index] of 0..3;
  p: array [index] of pair;
  bag: multiset [3] of 0..3;
  flag: boolean;
  hidden: 0..3;

procedure set(var place: 0..3; value: 0..3); begin place := value; end;
procedure set_hidden(value: 0..3); begin hidden := value; end;
function counts(value: 0..3): boolean; begin hidden := value; return value = 2; end;
function reads(): boolean; begin return flag; end;

startstate
begin
  for i: index do a[i] := 0; p[i].one := 0; p[i].two := 0; end;
  undefine bag;
  flag := false;
  hidden := 0;
end;

ruleset i: index do
  -- Not every way through it writes.
  rule "if" a[i] < 2 ==> begin if i = 1 then a[i] := a[i] + 1; end; end;
  rule "return before writing" a[i] = 0 ==> begin if i != 2 then return; end; a[i] := 1; end;
  rule "return after writing" p[i].one = 0 ==> begin p[i].one := 1; if i = 0 then return; end; p[i].one := 0; end;
  -- Writes what was there.
  rule "the same" a[i] = 1 ==> begin a[i] := 1; end;
  -- Through other names.
  rule "by reference" p[i].two = 0 & i = 1 ==> begin if flag then set(p[i].two, 2); end; end;
  rule "alias" p[i].two = 0 ==> begin alias x: p[i] do if i = 2 then x.two := 1; end; end; end;
  -- Other elements than the one that the guard asks about.
  rule "elsewhere" a[i] = 1 ==> begin p[(i + 1) % 3].two := 3; end;
  -- Storage of its own.
  rule "locals" var x: 0..3; begin x := i; if x = 3 then a[0] := 3; end; end;
end;

rule "flag" !flag & hidden = 0 ==> begin flag := true; end;
rule "condition" flag & hidden = 0 ==> begin if counts(1) then a[0] := 3; end; end;
rule "switch" hidden = 1 ==> begin switch hidden case 1: set_hidden(2); case 2: set_hidden(3); end; end;
rule "loop" hidden = 2 ==> begin for i: index do if i = 2 then hidden := 3; end; end; end;
rule "never" reads() ==> begin if !reads() then hidden := 0; end; end;
rule "add" multisetcount(i: bag, true) < 2 & hidden = 3 ==> begin if flag then multisetadd(1, bag); end; end;
choose i: bag do
  rule "remove" flag ==> begin if bag[i] = 1 then multisetremove(i, bag); multisetadd(2, bag); end; end;
end;
