-- Regular graphs: a state that defeats refinement.
--
-- Two kinds of graphs of sixteen nodes in which everything that refinement counts is the same: each node has six
-- neighbours, and any two nodes have two in common. One is the rook's graph on a board of four by four, the other the
-- Shrikhande graph. With several of both side by side, only trying tells the nodes apart, and there is much to try.
-- The verifier gives up at some point, says so in its report, and goes on: the search stays right, but an
-- orbit may have several states.
--
-- The names of nodes are drawn one after the other, then all edges are made at once, and the names are forgotten.
--
-- Property: the graph stays as it was made.

const
  graphs: 4;
  size: 16;

type
  number: 0..graphs * size - 1;
  node: scalarset(graphs * size);

var
  name: array [number] of node;
  drawn: 0..graphs * size;
  edge: array [node] of array [node] of boolean;
  made: boolean;

function adjacent(a: number; b: number): boolean;
var dx: 0..3; dy: 0..3;
begin
  if a / size != b / size | a = b then
    return false;
  end;
  dx := (a % size / 4 + 4 - b % size / 4) % 4;
  dy := (a % 4 + 4 - b % 4) % 4;
  if a / size % 2 = 0 then
    return dx = 0 | dy = 0;
  end;
  return (dx = 0 & (dy = 1 | dy = 3)) | (dy = 0 & (dx = 1 | dx = 3)) | (dx = dy & (dx = 1 | dx = 3));
end;

startstate "no names"
begin
  drawn := 0;
  made := false;
  for a: node do for b: node do edge[a][b] := false; end; end;
end;

ruleset n: node do
  rule "draw"
    drawn < graphs * size & forall k: number do k < drawn -> name[k] != n end
  ==>
  begin
    name[drawn] := n;
    drawn := drawn + 1;
  end;
end;

rule "make the edges"
  drawn = graphs * size & !made
==>
begin
  for a: number do
    for b: number do
      edge[name[a]][name[b]] := adjacent(a, b);
    end;
  end;
  undefine name;
  made := true;
end;

invariant "undirected"
  forall a: node do forall b: node do edge[a][b] = edge[b][a] end end;
