/* Lamport's bakery algorithm with bounded tickets: the Promela half of the pair; see bakery.m.
 *
 * Each statement or d_step is one rule of the Murphi half. A process's location is the place in its text. */

#define process_count 4
#define last_ticket 6

bool choosing[process_count];
byte number[process_count];
byte inside;
hidden byte q;

#if process_count == 3
#define every(p) (p(0) && p(1) && p(2))
#elif process_count == 4
#define every(p) (p(0) && p(1) && p(2) && p(3))
#elif process_count == 5
#define every(p) (p(0) && p(1) && p(2) && p(3) && p(4))
#else
#error "write down what `every` is for so many processes"
#endif
#define holds_an_earlier_one(q) (number[q] != last_ticket)
#define some_are_left every(holds_an_earlier_one)

active [process_count] proctype process()
{
	byte seen;
	byte position;

outside:
	choosing[_pid] = true;                          /* begin to choose */
	if
	:: d_step {                                     /* read the largest ticket */
		some_are_left -> q = 0;
		do
		:: q < process_count ->
			if
			:: number[q] > seen -> seen = number[q]
			:: else
			fi;
			q++
		:: else -> break
		od
	   }
	:: d_step { !some_are_left -> choosing[_pid] = false };   /* find the tickets used up */
	   goto outside
	fi;
	d_step {                                        /* write the own ticket */
		number[_pid] = 1 + seen;
		seen = 0;
		choosing[_pid] = false
	};
scanning:
	if
	:: position != process_count && !choosing[position]   /* the process looked at has its ticket */
	:: d_step {                                     /* enter */
		position == process_count -> position = 0;
		inside++;
		assert(inside == 1)
	   };
	   d_step { number[_pid] = 0; inside-- };       /* leave */
	   goto outside
	fi;
	d_step {                                        /* the process looked at does not go first */
		(number[position] == 0
		|| number[position] > number[_pid]
		|| (number[position] == number[_pid] && position >= _pid)) -> position++
	};
	goto scanning
}
