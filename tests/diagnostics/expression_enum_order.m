type level: enum { low, middle, high };
var l: level;
startstate begin l := low; end;
rule "rise" l < high ==> begin l := high; end;
