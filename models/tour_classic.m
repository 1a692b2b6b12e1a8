-- A tour of the classic language, as Murphi 3.1 and CMurphi have it.
--
-- Couriers carry parcels between two depots. A parcel waits on a depot's shelf, is
-- loaded by a courier, delivered or lost, and is booked out when it arrives. The
-- depots keep a balance that goes below zero for the one that sends more.
--
-- Abstraction: parcels are a weight and an origin; shelves and bags are bags of
-- at most two parcels.
--
-- Properties: parcels are neither made nor destroyed without being booked; the
-- balances cancel out; couriers are never overloaded.
--
-- What to look at, as a reader of the language: unions with in-line enums, arrays
-- of multisets indexed by a union, every operation on multisets, choose inside
-- aliases, several variables in one quantifier, recursion, functions that return
-- records, copies of undefined values, rule priorities, and every way to end a
-- block.

Const
  courier_count: 2;
  shelf_size: 1 + 1;
  parcel_limit: (shelf_size + 1) * 2 - 4;
  heaviest: 2;
  balance_limit: parcel_limit * heaviest + 1;
  safe_balance: balance_limit - shelf_size * heaviest;  -- one more delivery fits

Type
  courier: Scalarset(courier_count);
  depot: Enum { north, south };
  place: Union { courier, depot, Enum { lost } };
  weight: 1..heaviest;
  balance: -balance_limit..balance_limit;
  parcel_total: 0..2 * parcel_limit;
  parcel: Record
    weight: weight;  -- a field may be named like a type
    origin: depot;
  EndRecord;
  load: Record
    parcels: parcel_total;
    weight: 0..2 * balance_limit;
  End;
  bag: Multiset [shelf_size] Of parcel;
  -- Names that differ by case only, and names that mean something elsewhere.
  State: Enum { idle, driving };
  loop_count: 0..9;
  directions: Array [courier] Of depot;

Var
  bags: Array [place] Of bag;
  state: Array [courier] Of State;
  heading: directions;   -- undefined while idle
  previous: directions;  -- where it was heading before, if anywhere
  accounts: Array [depot] Of balance;
  in_system: parcel_total;
  match: loop_count;
  self: boolean;
  /* An in-line type, indexed by a boolean: how often parcels were found again,
     by whether the shelf was full. */
  journal: Array [boolean] Of Record times: 0..1; End;

-- Recursion: the greatest common divisor.
Function divisor(a: balance; b: balance): balance;
Begin
  If b = 0 Then
    Return a;
  Endif;
  Return divisor(b, a % b);
EndFunction;

-- A function that returns a record, with a semicolon after the last parameter.
Function new_parcel(w: weight; d: depot;): parcel;
Var
  fresh: parcel;
Begin
  fresh.weight := w;
  fresh.origin := d;
  Return fresh;
End;

Function other(d: depot): depot;
Begin
  Switch d
  Case north:
    Return south;
  Case south:
    Return north;
  Endswitch;
EndFunction;

-- A procedure with a var parameter, which may return early.
Procedure book(Var account: balance; w: weight; incoming: boolean);
Begin
  If incoming Then
    account := account + w;
    Return;
  End;
  account := account - w;
EndProcedure;

Procedure count_load(Var result: load; p: place);
Begin
  result.parcels := MultisetCount(i: bags[p], true);
  result.weight :=
    MultisetCount(i: bags[p], bags[p][i].weight = 1)
    + 2 * MultisetCount(i: bags[p], bags[p][i].weight = 2);
End;

-- Books everything in a courier's bag that comes from the other depot.
Procedure deliver(c: courier; d: depot);
Var
  delivered: parcel_total;
Begin
  delivered := 0;
  For w: weight Do
    match := MultisetCount(i: bags[c], bags[c][i].weight = w & bags[c][i].origin != d);
    delivered := delivered + match;
    While match > 0 Do
      book(accounts[d], w, true);
      book(accounts[other(d)], w, false);
      match := match - 1;
    End;
  End;
  MultisetRemovePred(i: bags[c], bags[c][i].origin != d);
  in_system := in_system - delivered;
End;

-- Counts to the next multiple of three with a while loop.
Function round_up(n: loop_count): loop_count;
Var
  result: loop_count;
Begin
  result := n;
  While result % 3 != 0 & result < 9 Do
    result := result + 1;
  EndWhile;
  Return result;
End;

-- An alias names its target once: a later change of the index does not move it.
Procedure check_alias();
Var
  cells: Array [0..2] Of loop_count;
  i: 0..2;
Begin
  Clear cells;
  i := 1;
  Alias cell: cells[i]; position: i Do
    position := 2;
    cell := 7;
  Endalias;
  Assert i = 2 & cells[1] = 7 & cells[2] = 0;
End;

-- Constant expressions and every kind of loop, checked once.
Procedure check_arithmetic();
Var
  sum: 0..100;
  zero: 0..0;
Begin
  zero := 0;
  sum := 0;
  For i := 1 To 9 By 2 Do  -- 1 3 5 7 9
    sum := sum + i;
  EndFor;
  Assert sum = 25 "odd numbers add up to a square";
  sum := 0;
  For i := 4 To 1 By -1 Do
    sum := sum * 2 + i % 2;
  End;
  Assert sum = 5 "0 1 0 1";
  For d: depot Do
    sum := sum + 1;
  End;
  Assert sum = 7;
  Assert Forall i := 0 To 9 By 3 Do i % 3 = 0 EndForall "multiples of three";
  Assert Exists i := 0 To 9 By 4 Do i = 8 EndExists "eight is a multiple of four";
  Assert !(Exists i := 1 To 9 By 4 Do i = 8 End);
  Assert (Forall i: 0..3; j: 0..3 Do i + j = j + i End) "several variables";
  Assert (Forall i: 0..2: i < 3 End) "a colon for do";
  Assert divisor(4, 2) = 2 & -7 / 2 = -3 & -7 % 2 = -1 & 2 - 3 - 4 = -5;
  Assert !1 = 2 "negation binds looser than comparison";
  Assert (zero = 1 -> 1 / zero = 1) "implication stops early";
  Assert (zero = 1 ? 1 : (zero = 0 ? 2 : 3)) = 2;
  Assert round_up(4) = 6 & round_up(9) = 9;
End;

Ruleset d: depot Do
  Ruleset w: weight Do
    Startstate "one parcel somewhere"
    Var
      first: parcel;
    Begin
      check_arithmetic();
      check_alias();
      Clear journal;
      Undefine bags;
      Undefine heading;
      previous := heading;  -- copies what is undefined
      For c: courier Do
        state[c] := idle;
      End;
      Clear accounts;  -- the smallest value of each
      For e: depot Do
        Assert accounts[e] = -balance_limit;
        accounts[e] := 0;
      End;
      first := new_parcel(w, d);
      MultisetAdd(first, bags[d]);
      in_system := 1;
      match := 0;
      self := false;
    Endstartstate;
  Endruleset;
Endruleset;

-- A priority may follow `rule`; zero is what rules without one have.
Ruleset d: depot; w: weight Do
  Rule 0 "a parcel comes in"
    MultisetCount(i: bags[d], true) < shelf_size & in_system < parcel_limit
  ==>
  Var
    fresh: parcel;
  Begin
    fresh := new_parcel(w, d);
    MultisetAdd(fresh, bags[d]);
    in_system := in_system + 1;
  Endrule;
Endruleset;

Ruleset c: courier Do
  Alias
      mine: bags[c];
      mood: state[c];
  Do

    Ruleset d: depot Do
      Choose p: bags[d] Do
        Alias chosen: bags[d][p] Do

          Rule "load a parcel"
            mood = idle & MultisetCount(i: mine, true) < shelf_size & chosen.origin = d
          ==>
          Var
            copy: parcel;
            result: load;
          Begin
            copy := chosen;
            MultisetRemove(p, bags[d]);
            MultisetAdd(copy, bags[c]);
            count_load(result, c);
            Assert result.weight <= shelf_size * heaviest "not overloaded";
          Endrule;

        Endalias;
      Endchoose;

      Rule "set off"
        mood = idle & MultisetCount(i: mine, mine[i].origin != d) > 0
      ==>
      Begin
        mood := driving;
        heading[c] := d;
      End;
    End;

    Rule "arrive"
      mood = driving & accounts[north] >= -safe_balance & accounts[north] <= safe_balance
    ==>
    Var
      target: place;
    Begin
      target := heading[c];
      Switch target
      Case north, south:
        deliver(c, heading[c]);
      Else
        Error "a courier arrives at a depot -- not at a `courier's'";
      Endswitch;
      previous[c] := heading[c];
      heading[c] := Undefined;
      mood := idle;
    End;

  Endalias;

  -- A rule without a name, on one line, inside the ruleset.
  Choose p: bags[c] Do
    Rule state[c] = driving & MultisetCount(i: bags[lost], true) = 0 & bags[c][p].weight > 1 ==> Var copy: parcel; Begin copy := bags[c][p]; MultisetRemove(p, bags[c]); MultisetAdd(copy, bags[lost]); End;
  End;
Endruleset;

Rule "find what was lost"
  MultisetCount(i: bags[lost], true) = 1
==>
Var
  found: parcel;
Begin
  For d: depot Do
    If MultisetCount(i: bags[lost], bags[lost][i].origin = d) = 1
        & MultisetCount(i: bags[d], true) < shelf_size Then
      found := new_parcel(heaviest, d);
      MultisetAdd(found, bags[d]);
      MultisetRemovePred(i: bags[lost], true);
      journal[false].times := 1;
    Elsif MultisetCount(i: bags[lost], bags[lost][i].origin = d) = 1 Then
      -- No room on the shelf: it stays where it is.
      self := !self;
      journal[true].times := 1;
      If false Then
        Put "never printed: ";
        Put in_system;
        Put "\n";
      Endif;
    Endif;
  Endfor;
Endrule;

Rule "settle the accounts"
  Exists d: depot Do accounts[d] > safe_balance End
==>
Begin
  For d: depot Do
    accounts[d] := 0;
  End;
End;

Invariant "accounts cancel out"
  accounts[north] + accounts[south] = 0;

Invariant "who is idle heads nowhere"
  Forall c: courier Do
    Isundefined(heading[c]) = (state[c] = idle)
  End;

Invariant "every place is a courier, a depot or nowhere"
  Forall p: place Do
    Ismember(p, courier) | Ismember(p, depot) | p = lost
  End;

Ruleset c: courier; d: depot Do
  Invariant "depots hold their own parcels only"
    MultisetCount(i: bags[d], bags[d][i].origin != d) = 0
    & (state[c] = driving -> MultisetCount(i: bags[c], true) <= shelf_size);
End;

Invariant "parcels are neither made nor lost"
  MultisetCount(i: bags[north], true) + MultisetCount(i: bags[south], true)
  + MultisetCount(i: bags[lost], true)
  <= in_system;

Alias north_account: accounts[north]; south_account: accounts[south] Do
  Invariant "within the limits, under another name"
    north_account <= balance_limit & south_account <= balance_limit;
Endalias;
