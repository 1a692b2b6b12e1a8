type message: record kind: enum { ask, answer }; from: 0..1; end;
var net: multiset [2] of message;
startstate begin clear net; end;
rule "send" multisetcount(i: net, true) < 2 ==>
var m: message;
begin
  m.kind := ask; m.from := 1;
  multisetadd(m, net);
end;
