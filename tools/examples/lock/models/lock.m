-- A lock that is handed over: whoever releases it gives it to the thread that has waited longest.
const
  N: 3;
  hands_over: true;

type
  thread: scalarset(N);
  place: 0..N - 1;

var
  owner: thread;
  waiting: 0..N - 1;
  queue: array [place] of thread;

function waits(t: thread): boolean;
begin
  for p: place do
    if p < waiting & queue[p] = t then return true; end;
  end;
  return false;
end;

startstate "nobody has it"
begin
  undefine owner;
  waiting := 0;
  undefine queue;
end;

ruleset t: thread do
  rule "request" isundefined(owner) ==> owner := t; end;

  rule "wait" !isundefined(owner) & owner != t & !waits(t) ==>
    queue[waiting] := t;
    waiting := waiting + 1;
  end;

  rule "release" !isundefined(owner) & owner = t ==>
    undefine owner;
    if waiting > 0 then
      if hands_over then owner := queue[0]; end;
      for p: 0..N - 2 do queue[p] := queue[p + 1]; end;
      undefine queue[N - 1];
      waiting := waiting - 1;
    end;
  end;
end;

invariant "nobody waits for a free lock"
  isundefined(owner) -> waiting = 0;
