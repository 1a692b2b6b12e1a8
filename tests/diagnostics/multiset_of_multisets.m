var bags: multiset [2] of multiset [2] of 0..3;
startstate begin clear bags; end;
