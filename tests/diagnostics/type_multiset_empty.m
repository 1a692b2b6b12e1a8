var bag: multiset [0] of 0..3;
startstate begin clear bag; end;
rule "idle" true ==> end;
