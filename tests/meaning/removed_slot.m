-- What is written through an alias to an element that was removed leaves no trace in the state.
var m: multiset [2] of 0..3; x: 0..3;
startstate begin x := 1; multisetadd(x, m); x := 0; end;
choose i: m do
  ruleset k: 0..3 do
    rule "remove" begin alias e: m[i] do multisetremove(i, m); e := k; end; x := (x + 1) % 3; end;
  end;
end;
rule "add" multisetcount(i: m, true) = 0 ==> var k: 0..3; begin k := 1; multisetadd(k, m); end;
