var one, two: multiset [3] of 0..3;
startstate begin clear one; clear two; end;
invariant "same" one = two;
