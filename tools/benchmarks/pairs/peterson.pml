/* Peterson's mutual exclusion algorithm for N processes: the Promela half of the pair; see peterson.m.
 *
 * Each statement or d_step is one rule of the Murphi half. A process's location is the place in its text, so only
 * `reached` and `victim` are variables. `inside` follows from the locations and adds no states: it is there
 * because an assertion at the entrance costs less than looking at all processes after every step. */

#define process_count 5
#define last_level (process_count - 1)

byte reached[process_count];
byte victim[process_count];
byte inside;

#define below(q) (_pid == q || reached[q] < reached[_pid])
#if process_count == 3
#define alone (below(0) && below(1) && below(2))
#elif process_count == 4
#define alone (below(0) && below(1) && below(2) && below(3))
#elif process_count == 5
#define alone (below(0) && below(1) && below(2) && below(3) && below(4))
#elif process_count == 6
#define alone (below(0) && below(1) && below(2) && below(3) && below(4) && below(5))
#else
#error "write down what `alone` is for so many processes"
#endif
#define passes (victim[reached[_pid]] != _pid || alone)

active [process_count] proctype process()
{
outside:
	skip;                                           /* start to compete */
announcing:
	reached[_pid] = reached[_pid] + 1;              /* announce the next level */
	victim[reached[_pid]] = _pid;                   /* become the victim of the level */
	if                                              /* pass the level */
	:: reached[_pid] != last_level && passes -> goto announcing
	:: d_step { reached[_pid] == last_level && passes -> inside++; assert(inside == 1) }
	fi;
	d_step { reached[_pid] = 0; inside-- };         /* leave the critical section */
	goto outside
}
