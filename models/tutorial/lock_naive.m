-- Two threads share a lock that is one boolean. Taking it is two steps: look whether the lock is free, then set it.
-- The second thread may look in between. `lock_fixed.m` has the cure, and docs/tutorial/first-model.md goes on.

type
  thread: scalarset(2);

var
  taken: boolean;
  at: array [thread] of enum { idle, looked, inside };

startstate "nobody wants the lock"
begin
  taken := false;
  for t: thread do at[t] := idle; end;
end;

ruleset t: thread do
  rule "look" at[t] = idle & !taken ==> at[t] := looked; end;
  rule "take" at[t] = looked ==> taken := true; at[t] := inside; end;
  rule "release" at[t] = inside ==> taken := false; at[t] := idle; end;
end;

invariant "one at a time"
  forall a: thread do forall b: thread do
    at[a] = inside & at[b] = inside -> a = b
  end end;
