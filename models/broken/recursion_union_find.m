-- Union-find: sites merge into groups, each group has a representative.
--
-- Every site has a parent; the representative of a group is its own parent. To
-- merge two groups, the representative of one becomes a child of the other.
-- `find` follows the parents recursively.
--
-- The bug: the operation has two steps, first finding both representatives, then
-- linking them, and two merges may overlap. If one links a below b while the other
-- is about to link b below a, the parents form a circle and `find` never returns.
--
-- Abstraction: two workers, no ranks, no path compression.
--
-- Property: `find` returns (violated: recursion without end).

const
  site_count: 4;

type
  site: 1..site_count;
  worker: 1..2;

var
  parent: array [site] of site;
  busy: array [worker] of boolean;
  child_root: array [worker] of site;
  parent_root: array [worker] of site;

function find(s: site): site;
begin
  if parent[s] = s then
    return s;
  end;
  return find(parent[s]);
end;

startstate "every site alone"
begin
  for s: site do
    parent[s] := s;
  end;
  for w: worker do
    busy[w] := false;
  end;
  undefine child_root;
  undefine parent_root;
end;

ruleset w: worker do

  ruleset a: site; b: site do
    rule "find the representatives of two groups"
      !busy[w] & a != b
    ==>
    begin
      if find(a) != find(b) then
        busy[w] := true;
        child_root[w] := find(a);
        parent_root[w] := find(b);
      end;
    end;
  end;

  rule "link them"
    busy[w]
  ==>
  begin
    parent[child_root[w]] := parent_root[w];
    busy[w] := false;
    undefine child_root[w];
    undefine parent_root[w];
  end;

end;

rule "split all groups"
  forall w: worker do !busy[w] end
==>
begin
  for s: site do
    parent[s] := s;
  end;
end;
