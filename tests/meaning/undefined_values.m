-- Wherever an undefined scalarset or union can stand: what CMurphi does with it (docs/peers.md).
type
  node: scalarset(2);
  place: enum { home, away };
  who: union { node, place };
  where: union { place, enum { nowhere } };
  pair: record who: node; count: 0..1; end;

var
  x, y: node;
  u, v: who;
  w: where;
  d: node;
  h: who;
  bag: multiset [2] of node;
  wide: multiset [2] of who;
  pairs: multiset [2] of pair;
  p, q: pair;
  tick: boolean;

function same(a: node): node; begin return a; end;
function nobody(): node; var local: node; begin return local; end;
function nothing(): who; var local: who; begin return local; end;
function is_missing(a: node): boolean; begin return isundefined(a); end;
function is_absent(a: who): boolean; begin return isundefined(a); end;
function equals_itself(a: node): boolean; begin return a = a; end;
function either(first: boolean; a: node; b: node): node;
begin
  if first then return a; end;
  return b;
end;
procedure set(var target: node; value: node); begin target := value; end;
procedure set_wide(var target: who; value: who); begin target := value; end;

startstate begin tick := false; end;

ruleset z: node do
  rule "values" !tick ==>
  var t: node; s: who; found: boolean;
  begin
    d := z;
    h := home;
    -- = and !=
    assert x = y "undefined equals undefined";
    assert !(x = d) & !(d = x) & x != d & d != x & !(x != y) "and nothing else";
    assert !(x = z) & x != z;
    assert u = v & !(u != v) & !(u = h) & u != h;
    assert !(u = home) & u != home & !(home = u);
    assert x = u & u = x & !(x = h) & h != x & u != d & !(u = z);
    assert w != nowhere & !(w = home) & w = w "a union without a scalarset";
    assert p.who = x & p.who != d "a field";
    assert p = q "records are compared part by part";
    assert x = z -> false;
    assert x = y & x != d | false;
    -- the conditional operator
    assert (tick ? d : x) = y & (tick ? x : d) != y & (tick ? d : x) = u & (tick ? d : u) = y;
    -- switch
    found := false;
    switch u case home: error "home"; case away: error "away"; else found := true; end;
    assert found;
    switch x case z: error "an element"; case d, y: found := false; else error "none"; end;
    assert !found;
    switch d case y: error "undefined"; case z: found := true; end;
    assert found;
    switch w case nowhere: error "nowhere"; else found := false; end;
    assert !found;
    -- questions
    assert !ismember(u, node) & !ismember(u, place) & isundefined(u) & isundefined(x);
    -- arguments and results
    assert is_missing(x) & is_absent(u) & is_absent(x) & is_missing(u) & equals_itself(x);
    assert nobody() = x & nobody() != d & same(x) = x & nothing() = u & nothing() != h & nothing() = x;
    assert same(nobody()) = either(true, x, d) & either(false, x, d) = z;
    assert is_missing(nobody()) & is_absent(nobody());
    t := z;
    t := nobody();
    assert isundefined(t);
    s := home;
    s := nothing();
    assert isundefined(s);
    s := z;
    s := nobody();
    assert isundefined(s);
    t := z;
    t := nothing();
    assert isundefined(t);
    t := z;
    set(t, x);
    assert isundefined(t);
    t := z;
    set(t, nobody());
    assert isundefined(t);
    s := home;
    set_wide(s, x);
    assert isundefined(s);
    t := z;
    t := tick ? d : x;
    assert isundefined(t);
    s := home;
    s := tick ? d : x;
    assert isundefined(s);
    -- copies
    t := z;
    t := x;
    assert isundefined(t);
    t := z;
    t := u;
    assert isundefined(t);
    s := home;
    s := x;
    assert isundefined(s);
    -- aliases
    alias k: x do assert k = y & k != d; end;
    alias k: same(x) do assert k = y & k != d & isundefined(k); end;
    alias k: same(d) do assert k = d & k = z & k != x; end;
    alias k: tick ? d : u do assert k = v & k != h; end;
    -- multisets
    multisetadd(x, bag);
    assert multisetcount(i: bag, isundefined(bag[i])) = 1 & multisetcount(i: bag, bag[i] = y) = 1;
    assert multisetcount(i: bag, bag[i] = d) = 0;
    multisetadd(nobody(), bag);
    assert multisetcount(i: bag, true) = 2;
    multisetremovepred(i: bag, bag[i] != d);
    assert multisetcount(i: bag, true) = 0;
    multisetadd(u, wide);
    multisetadd(x, wide);
    assert multisetcount(i: wide, wide[i] = x) = 2;
    multisetadd(p, pairs);
    multisetremovepred(i: pairs, pairs[i].who = x);
    assert multisetcount(i: pairs, true) = 0;
    -- quantifiers and loops
    assert forall i: node do x != i end & !exists i: node do x = i end;
    assert forall i: who do u != i end;
    while x != d do x := d; end;
    assert x = d;
    -- printing
    put nobody();
    put u;
    undefine d;
    undefine h;
    undefine x;
    undefine bag;
    undefine wide;
    tick := true;
  end;
end;

rule "back" tick ==> begin tick := false; end;
