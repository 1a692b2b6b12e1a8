var members: array [0..3] of boolean;
startstate begin clear members; end;
invariant "some" exists i: members do members[i] end;
rule "idle" true ==> end;
