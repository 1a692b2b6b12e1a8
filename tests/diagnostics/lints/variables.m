-- Variables that are only read, only written or neither. Those that follow in each line are used.
type index: 0..2; pair: record a, b: index; end;
var only_written: index; only_read: index; neither: index; both: index;
  bag_only_read: multiset [2] of index; bag: multiset [2] of index;
  array_only_written: array [index] of pair; array_only_read: array [index] of index;
  as_index: index; by_alias: index; by_reference: index; for_a_result: index; itself: 0..9; tested: index; copied: index;
function next(n: index; var m: index): index; begin if isundefined(n) then m := (m + 1) % 3; end; return m; end;
procedure set(a, b: index; p: pair); begin both := a; array_only_written[0] := p; end;
startstate begin
  only_written := 0; both := 0; as_index := 0; by_alias := 0; by_reference := 0; itself := 0;
  for i: index do clear array_only_written[i]; end;
end;
rule "r" both = 0 ==>
var local_only_written, local_only_read, local_neither, local, no_node, no_node_either: index; pairs_without_a_value: pair;
begin
  local_only_written := 1;
  local := local_only_read % 3;
  both := local;
  array_only_written[as_index].a := (array_only_read[1] + 1) % 3;
  alias a: by_alias do a := 2; end;
  for_a_result := next(0, by_reference);
  itself := (itself + 1) % 10;
  multisetadd(1, bag);
  only_written := only_read = 1 ? 0 : 1;
  set(undefined, no_node, pairs_without_a_value);
  both := next(no_node_either, copied);
  if isundefined(tested) then undefine tested; end;
end;
invariant multisetcount(i: bag_only_read, bag_only_read[i] = 1) = 0;
