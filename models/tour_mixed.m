-- A tour of both dialects at once: the unions and multisets of the classic
-- language together with the operators and properties of the extended one.
--
-- A mail relay forwards letters between two peers and an operator. Letters carry
-- a four-bit checksum, and the relay throws away those whose checksum is wrong.
-- This file begins with a byte-order mark, is indented with tabs here and there,
-- has “UTF-8” in its comments, and leaves out semicolons wherever it may.
--
-- Abstraction: a letter is a sender, a receiver and a payload of two bits; noise
-- flips the lowest bit of a checksum.
--
-- Properties: no peer receives a payload that was not sent to it; damaged letters
-- are dropped; every way of damage and delivery is covered.

const
  queue_size: 0x2
  mask: 0xF

type
  peer: scalarset(2)
  party: union { peer, enum { operator } }
  payload: 0..3
  tally: 0..4
  checksum: 0..mask
  letter: record
    from_party: party
    to_party: party
    text: payload
    sum: checksum
  end
  stamp: record
    text: payload
    sum: checksum
  end
  unit: record end
  queue: multiset [queue_size] of letter
  mode: enum { Normal, normal, NORMAL, }
  verdict: enum { intact, damaged }

var
  relay: queue
  received: array [party] of boolean
  wanted: array [party] of payload
  -- Names that are keywords elsewhere, and names that differ by case only.
  match, loop, impl, crate, Self, self: 0..1
  type_of: mode
  nothing_at_all: unit
  last: letter

-- The checksum of a payload. `sum` is also the name of a field.
function sum(text: payload): checksum
begin
  return (((text << 2) ^ text) | 0x8) & mask
end

function stamp_of(text: payload): stamp
var result: stamp
begin
  result.text := text
  result.sum := sum(text)
  return result
end

function check(s: stamp): verdict
begin
  return s = stamp_of(s.text) ? intact : damaged
end

-- Recursion in a procedure: counts down and leaves the number of ones in `ones`.
procedure count_ones(number: checksum; var ones: tally)
begin
  if number ≠ 0 then
    ones := ones + (number & 1)
    count_ones(number >> 1, ones)
  end
end

procedure post(s: party; r: party; text: payload;)
var
  fresh: letter
  computed: stamp
begin
  fresh.from_party := s;
  fresh.to_party := r;;
  fresh.text := text
  computed := stamp_of(text)
  fresh.sum := computed.sum
  multisetadd(fresh, relay)
end

startstate "quiet"
var ones: tally
begin
  undefine relay
  undefine last
  for p: party do
    received[p] := false
    undefine wanted[p]
  end
  match := 0
  loop := 0
  impl := 0
  crate := 0
  Self := 0
  self := 1
  type_of := normal
  clear nothing_at_all
  ones := 0
  count_ones(0xB, ones)
  assert ones = 3 "three ones in eleven"
  assert "a quote \" and a tab\t in a message" 6 ÷ 2 × 3 − 1 = 8
  assert −3 + 3 = 0 && (1 == 2 || 2 >= 2)
  assert ∀ t: payload do check(stamp_of(t)) = intact end
  assert stamp_of(2) != stamp_of(3)
  assert ¬1 = 2 ∧ (false → 1 / match = 1)
end

ruleset s: party; r: party; text: payload do
  rule "post"
    s != r & !received[r] & isundefined(wanted[r]) & text % 2 = 1
    & multisetcount(m: relay, true) < queue_size
  ⇒
  begin
    wanted[r] := text
    post(s, r, text)
  end
end

choose m: relay do
  alias it: relay[m]; target: relay[m].to_party do

    rule "noise"
      type_of = normal & ismember(it.to_party, peer)
    ==>
    begin
      it.sum ≔ it.sum ^ 1
      type_of := NORMAL
      cover "noise on a letter to a peer" true
    end

    rule "deliver"
      type_of ≠ Normal
    ==>
    var
      outcome: verdict
      copy: letter
      left: 0..queue_size
    begin
      copy := it
      outcome := copy.sum = sum(copy.text) ? intact : damaged
      switch outcome
      case intact:
        left := multisetcount(k: relay, relay[k].to_party = copy.to_party)
        assert left = 1
        received[target] := true
        assert copy.text = wanted[copy.to_party] "the text that was posted"
        undefine wanted[copy.to_party]
      case damaged:
        cover "a damaged letter is dropped" ismember(copy.to_party, peer)
        undefine wanted[copy.to_party]
        type_of := normal
      end
      multisetremovepred(k: relay, relay[k] = copy)
      last := copy
    end

  endalias
endchoose

ruleset p: party do
  rule "read" received[p] ==> begin received[p] := false if !isundefined(last.text) & last.to_party = p then undefine last end end

  rule "the operator restarts the relay"
    ismember(p, enum { operator }) & type_of = NORMAL & multisetcount(m: relay, true) = 0
  ==>
  begin
    assume !isundefined(last.text)
    type_of := normal
  end
end

invariant "everything on its way is wanted"
  multisetcount(m: relay, isundefined(wanted[relay[m].to_party])) = 0
invariant "only the lowest bit is ever wrong"
  multisetcount(m: relay, (relay[m].sum >> 1) != (sum(relay[m].text) >> 1)) = 0
invariant forall p: party; q: party do p != q | received[p] = received[q] end

cover "a full relay" multisetcount(m: relay, true) == queue_size
cover "the operator has received something" received[operator]
