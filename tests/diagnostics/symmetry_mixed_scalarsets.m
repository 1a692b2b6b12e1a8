type client: scalarset(3); server: scalarset(2); either: union { client, server };
var c: client; s: server; e: either;
startstate begin undefine c; undefine s; undefine e; end;
rule "e is either" !isundefined(c) ==> begin e := c; end;
rule "c is no server" c = s ==> begin c := s; end;
