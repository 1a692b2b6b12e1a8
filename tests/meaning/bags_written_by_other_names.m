-- Bags that rules write through aliases, `var` parameters, functions and guards, alone, in records and in arrays; and
-- rules that write none. Whatever way it was written, a bag has one form.
type V: 0..2; R: record k: V; w: V; end; M: multiset [3] of R; B: record bag: M; c: V; end;
var m: M; a: array [0..1] of B; x: V;
procedure raise(var r: R); begin r.k := (r.k + 1) % 3; end;
procedure fill(var b: M; v: V); var r: R; begin r.k := v; r.w := 0; multisetadd(r, b); end;
procedure fill_first(v: V); begin fill(a[0].bag, v); end;
function emptied(): boolean;
begin
  if multisetcount(i: m, m[i].k = 0) > 1 then multisetremovepred(i: m, m[i].k = 0); return true; end;
  return false;
end;
startstate begin x := 0; for i: 0..1 do a[i].c := 0; end; end;
ruleset v: V do
  rule "fill" multisetcount(i: m, true) < 3 & v < 2 ==> begin fill(m, v); end;
  rule "fill first" multisetcount(i: a[0].bag, true) < 2 & v != x ==> begin fill_first(v); end;
end;
choose i: m do
  rule "parameter" m[i].k < 2 ==> begin raise(m[i]); end;
  alias r: m[i] do rule "alias around" r.w = 0 & r.k = 2 ==> begin r.w := 1; end; end;
end;
ruleset e: 0..1 do
  choose i: a[e].bag do
    rule "alias inside" a[e].bag[i].k = x ==>
    begin
      alias b: a[e].bag; r: b[i] do if r.k = 2 then multisetremove(i, b); else raise(r); end; end;
    end;
    rule "to the other" e = 0 & multisetcount(j: a[1].bag, true) < 2 ==>
    begin
      alias s: a[e]; t: a[1] do fill(t.bag, s.bag[i].k); multisetremove(i, s.bag); end;
    end;
  end;
end;
rule "guard" emptied() ==> begin x := 0; end;
rule "no bag" true ==> begin x := (x + 1) % 3; end;
rule "record" multisetcount(i: a[1].bag, true) = 2 & multisetcount(i: a[0].bag, true) = 1 ==> begin a[0] := a[1]; undefine a[1]; end;
