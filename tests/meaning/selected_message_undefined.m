-- As selected_channels.m, but a message loses its kind while it waits: every guard that asks for the kind is in error.
type
  id: 1..3;
  kind: enum { ask, refuse, grant, take, give, done };
  channel: record count: 0..2; messages: array [0..1] of kind; end;
  row: array [id] of channel;
var
  net: array [id] of row;
  turns: array [id] of 0..2;

procedure send(from: id; to_: id; what: kind);
begin
  net[from][to_].messages[net[from][to_].count] := what;
  net[from][to_].count := net[from][to_].count + 1;
end;

procedure drop(from: id; to_: id);
begin
  net[from][to_].messages[0] := net[from][to_].messages[1];
  undefine net[from][to_].messages[1];
  net[from][to_].count := net[from][to_].count - 1;
end;

startstate
begin
  for i: id do
    turns[i] := 0;
    for j: id do net[i][j].count := 0; undefine net[i][j].messages; end;
  end;
end;

ruleset i: id; j: id do
  rule "begin" i < j & turns[i] < 1 & net[i][j].count = 0 & net[j][i].count = 0 ==>
  begin
    turns[i] := turns[i] + 1;
    send(i, j, ask);
  end;
end;

ruleset at: id do
  ruleset from: id do
    alias lane: net[from][at]; head: lane.messages[0] do
      rule "ask" lane.count > 0 & head = ask & turns[at] < 2 ==>
      begin
        drop(from, at);
        send(at, from, grant);
      end;
      rule "refuse" lane.count > 0 & ask = head ==>
      begin
        drop(from, at);
        send(at, from, refuse);
      end;
      rule "refused" lane.count > 0 & head = refuse ==> begin drop(from, at); end;
      rule "granted" 0 < lane.count & head = grant ==>
      begin
        drop(from, at);
        send(at, from, take);
        send(at, from, give);
      end;
      rule "take" lane.count > 0 & head = take & from != at ==>
      begin
        drop(from, at);
        if turns[at] < 2 then turns[at] := turns[at] + 1; end;
      end;
      rule "give" lane.count > 0 & head = give ==> begin undefine lane.messages[0]; end;
      rule "done" lane.count > 0 & head = done ==> begin drop(from, at); end;
    end;
  end;
end;
