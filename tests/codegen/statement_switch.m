type phase: enum { idle, busy, done };
var p: phase; x: 0..3;
startstate begin p := idle; x := 0; end;
rule "step" true ==>
begin
  switch p case idle: p := busy; case busy, done: p := idle; end;
  switch x case 0: x := 1; case x: x := 2; else x := 3; end;
end;
