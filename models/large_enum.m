-- A perpetual calendar: an enum of more than 256 members.
--
-- The mechanism of a clock shows the day of a leap year by name on one dial, and
-- by month and day of the month on two others. Once a day it moves all three.
--
-- Abstraction: every year is a leap year.
--
-- Properties: the dials agree on the last day of each month, and the name is
-- the one whose number is the number of days since the new year.

type
  calendar_day: enum {
    january_1, january_2, january_3, january_4, january_5, january_6, january_7,
    january_8, january_9, january_10, january_11, january_12, january_13, january_14,
    january_15, january_16, january_17, january_18, january_19, january_20, january_21,
    january_22, january_23, january_24, january_25, january_26, january_27, january_28,
    january_29, january_30, january_31,
    february_1, february_2, february_3, february_4, february_5, february_6, february_7,
    february_8, february_9, february_10, february_11, february_12, february_13,
    february_14, february_15, february_16, february_17, february_18, february_19,
    february_20, february_21, february_22, february_23, february_24, february_25,
    february_26, february_27, february_28, february_29,
    march_1, march_2, march_3, march_4, march_5, march_6, march_7, march_8, march_9,
    march_10, march_11, march_12, march_13, march_14, march_15, march_16, march_17,
    march_18, march_19, march_20, march_21, march_22, march_23, march_24, march_25,
    march_26, march_27, march_28, march_29, march_30, march_31,
    april_1, april_2, april_3, april_4, april_5, april_6, april_7, april_8, april_9,
    april_10, april_11, april_12, april_13, april_14, april_15, april_16, april_17,
    april_18, april_19, april_20, april_21, april_22, april_23, april_24, april_25,
    april_26, april_27, april_28, april_29, april_30,
    may_1, may_2, may_3, may_4, may_5, may_6, may_7, may_8, may_9, may_10, may_11, may_12,
    may_13, may_14, may_15, may_16, may_17, may_18, may_19, may_20, may_21, may_22,
    may_23, may_24, may_25, may_26, may_27, may_28, may_29, may_30, may_31,
    june_1, june_2, june_3, june_4, june_5, june_6, june_7, june_8, june_9, june_10,
    june_11, june_12, june_13, june_14, june_15, june_16, june_17, june_18, june_19,
    june_20, june_21, june_22, june_23, june_24, june_25, june_26, june_27, june_28,
    june_29, june_30,
    july_1, july_2, july_3, july_4, july_5, july_6, july_7, july_8, july_9, july_10,
    july_11, july_12, july_13, july_14, july_15, july_16, july_17, july_18, july_19,
    july_20, july_21, july_22, july_23, july_24, july_25, july_26, july_27, july_28,
    july_29, july_30, july_31,
    august_1, august_2, august_3, august_4, august_5, august_6, august_7, august_8,
    august_9, august_10, august_11, august_12, august_13, august_14, august_15, august_16,
    august_17, august_18, august_19, august_20, august_21, august_22, august_23,
    august_24, august_25, august_26, august_27, august_28, august_29, august_30,
    august_31,
    september_1, september_2, september_3, september_4, september_5, september_6,
    september_7, september_8, september_9, september_10, september_11, september_12,
    september_13, september_14, september_15, september_16, september_17, september_18,
    september_19, september_20, september_21, september_22, september_23, september_24,
    september_25, september_26, september_27, september_28, september_29, september_30,
    october_1, october_2, october_3, october_4, october_5, october_6, october_7,
    october_8, october_9, october_10, october_11, october_12, october_13, october_14,
    october_15, october_16, october_17, october_18, october_19, october_20, october_21,
    october_22, october_23, october_24, october_25, october_26, october_27, october_28,
    october_29, october_30, october_31,
    november_1, november_2, november_3, november_4, november_5, november_6, november_7,
    november_8, november_9, november_10, november_11, november_12, november_13,
    november_14, november_15, november_16, november_17, november_18, november_19,
    november_20, november_21, november_22, november_23, november_24, november_25,
    november_26, november_27, november_28, november_29, november_30,
    december_1, december_2, december_3, december_4, december_5, december_6, december_7,
    december_8, december_9, december_10, december_11, december_12, december_13,
    december_14, december_15, december_16, december_17, december_18, december_19,
    december_20, december_21, december_22, december_23, december_24, december_25,
    december_26, december_27, december_28, december_29, december_30, december_31
  };
  month: 1..12;
  day_of_month: 1..31;
  day_number: 0..365;

var
  today: calendar_day;
  month_dial: month;
  day_dial: day_of_month;
  number: day_number;

function days_in(m: month): day_of_month;
begin
  switch m
  case 2:
    return 29;
  case 4, 6, 9, 11:
    return 30;
  else
    return 31;
  end;
end;

-- The member after d; the first one after the last.
function following(d: calendar_day): calendar_day;
var
  passed: boolean;
begin
  passed := false;
  for e: calendar_day do
    if passed then
      return e;
    end;
    passed := e = d;
  end;
  return january_1;
end;

function number_of(d: calendar_day): day_number;
var
  result: day_number;
begin
  result := 0;
  for e: calendar_day do
    if e = d then
      return result;
    end;
    result := result + 1;
  end;
end;

startstate "new year"
begin
  clear today;
  clear month_dial;
  clear day_dial;
  clear number;
end;

rule "midnight"
  true
==>
begin
  today := following(today);
  number := (number + 1) % 366;
  if day_dial < days_in(month_dial) then
    day_dial := day_dial + 1;
  else
    day_dial := 1;
    month_dial := month_dial % 12 + 1;
  end;
end;

invariant "the name has the right number"
  number_of(today) = number;

invariant "the dials agree"
  (today = january_1) = (month_dial = 1 & day_dial = 1)
  & (today = february_29) = (month_dial = 2 & day_dial = 29)
  & (today = december_31) = (month_dial = 12 & day_dial = 31);
