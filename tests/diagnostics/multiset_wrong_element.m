var bag: multiset [3] of 0..3;
startstate begin multisetadd(true, bag); end;
rule "idle" true ==> end;
