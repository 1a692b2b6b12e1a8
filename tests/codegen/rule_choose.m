type message: record kind: enum { ask, answer }; target: 0..1; end;
var nets: array [0..1] of multiset [2] of message; x: 0..1;
startstate begin undefine nets; x := 0; end;
rule "send" multisetcount(i: nets[0], true) = 0 ==>
var m: message;
begin m.kind := ask; m.target := 1; multisetadd(m, nets[0]); end;
ruleset n: 0..1 do
  choose i: nets[n] do
    alias m: nets[n][i] do
      rule "receive" m.kind = ask ==> begin x := m.target; multisetremove(i, nets[n]); end;
    end;
  end;
end;
