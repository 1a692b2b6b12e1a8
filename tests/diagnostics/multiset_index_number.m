var bag: multiset [3] of 0..3;
startstate begin clear bag; end;
rule "read" bag[0] = 1 ==> begin clear bag; end;
