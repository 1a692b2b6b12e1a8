-- A tree in which every state but those of the last level has two children, which are
-- different from all other states.
--
-- It is the artificial protocol of Stern and Dill's paper on hash compaction: there is exactly one way to each
-- of its 2^18 - 1 states, so a state is missed as soon as one state on that way is. With
-- signatures instead of states, that makes it the worst case, and the probability of missing the
-- last state comes close to the bound. Nothing is checked, and the leaves have no successors (-ndl).

const
  depth: 17;

type
  -- Which way was taken on each level.
  way: enum { left, right };

var
  level: 0..depth;
  path: array [1..depth] of way;

startstate "root"
begin
  level := 0;
  undefine path;
end;

ruleset turn: way do
  rule "descend"
    level < depth
  ==>
  begin
    level := level + 1;
    path[level] := turn;
  end;
end;
