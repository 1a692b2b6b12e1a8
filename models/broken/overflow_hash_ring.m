-- Consistent hashing: keys and servers are hashed onto a ring, and a key belongs
-- to the next server on the ring.
--
-- Servers join and leave; a client looks up the server of a key. The hash
-- multiplies by a large prime, twice, to spread neighbouring keys.
--
-- The bug: the two multiplications are done in one expression, without reducing
-- the product in between. The product leaves the 64-bit integers as soon as the
-- key is larger than two.
--
-- Abstraction: a ring of 16 places; joining, leaving and looking up are one step
-- each.
--
-- Properties: a key is looked up at a server that is up (holds); no arithmetic
-- overflow (violated).

const
  server_count: 3;
  key_count: 6;
  ring_size: 16;
  multiplier: 2147483647;

type
  server: 0..server_count - 1;
  key: 0..key_count - 1;
  place: 0..ring_size - 1;

var
  up: array [server] of boolean;
  wanted: key;
  found: server;

function place_of_server(s: server): place;
begin
  return (s * 5 + 2) % ring_size;
end;

function place_of_key(k: key): place;
begin
  return k * multiplier * multiplier % ring_size;
end;

-- How far to go around the ring from a to b.
function distance(a: place; b: place): place;
begin
  return (b - a + ring_size) % ring_size;
end;

startstate "one server"
begin
  clear up;
  up[0] := true;
  wanted := 0;
  found := 0;
end;

ruleset s: server do

  rule "a server joins"
    !up[s]
  ==>
  begin
    up[s] := true;
  end;

  rule "a server leaves"
    up[s] & s != found & exists t: server do t != s & up[t] end
  ==>
  begin
    up[s] := false;
  end;

end;

rule "want the next key"
  wanted < key_count - 1
==>
begin
  wanted := wanted + 1;
end;

rule "start over"
  wanted = key_count - 1
==>
begin
  wanted := 0;
end;

rule "look the key up"
  true
==>
var
  best: place;
  start: place;
begin
  start := place_of_key(wanted);
  best := ring_size - 1;
  for s: server do
    if up[s] & distance(start, place_of_server(s)) <= best then
      best := distance(start, place_of_server(s));
      found := s;
    end;
  end;
end;

invariant "the server found is up"
  up[found];
