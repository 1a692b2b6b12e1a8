-- Two threads share a lock that is one boolean. Looking whether it is free and taking it is one indivisible step, as
-- with a test-and-set instruction. It is `lock_naive.m`, cured; docs/tutorial/first-model.md goes from there to here.

type
  thread: scalarset(2);

var
  taken: boolean;
  at: array [thread] of enum { idle, inside };

startstate "nobody wants the lock"
begin
  taken := false;
  for t: thread do at[t] := idle; end;
end;

ruleset t: thread do
  rule "look and take" at[t] = idle & !taken ==> taken := true; at[t] := inside; end;
  rule "release" at[t] = inside ==> taken := false; at[t] := idle; end;
end;

invariant "one at a time"
  forall a: thread do forall b: thread do
    at[a] = inside & at[b] = inside -> a = b
  end end;
