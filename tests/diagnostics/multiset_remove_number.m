var bag: multiset [3] of 0..3;
startstate begin clear bag; multisetremove(1, bag); end;
rule "idle" true ==> end;
