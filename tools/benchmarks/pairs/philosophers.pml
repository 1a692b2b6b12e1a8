/* Dijkstra's dining philosophers, one of them left-handed: the Promela half of the pair; see philosophers.m.
 *
 * Each statement or d_step is one rule of the Murphi half. What a philosopher does is the place in the text;
 * `eating` repeats a part of it for the assertion, and adds no states. */

#define philosopher_count 13

bool taken[philosopher_count];
bool eating[philosopher_count];

#define before ((_pid + philosopher_count - 1) % philosopher_count)
#define after ((_pid + 1) % philosopher_count)
#define first_fork (_pid == 0 -> philosopher_count - 1 : _pid)
#define second_fork (_pid == 0 -> 0 : _pid - 1)

active [philosopher_count] proctype philosopher()
{
	do
	:: d_step { !taken[first_fork] -> taken[first_fork] = true };
	   d_step {
		!taken[second_fork] -> taken[second_fork] = true;
		eating[_pid] = true;
		assert(!eating[before] && !eating[after])
	   };
	   d_step { taken[second_fork] = false; eating[_pid] = false };
	   taken[first_fork] = false
	od
}
