/* Odometers: the Promela half of a pair; see odometers.m. */

#define N 8
#define odometer_count 5

int shows[odometer_count];

active [odometer_count] proctype odometer()
{
	do
	:: d_step { shows[_pid] = (shows[_pid] == N - 1 -> 0 : shows[_pid] + 1); assert(shows[_pid] < N) }
	od
}
