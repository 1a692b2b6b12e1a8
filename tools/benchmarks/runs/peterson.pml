// The same graph as peterson.m beside it.
#define N 5
mtype = { idle, announce, waiting, critical };
mtype at[N] = idle; byte level[N]; byte turn[N]; byte tick;
#define alone(i) ((i==0||level[0]<level[i])&&(i==1||level[1]<level[i])&&(i==2||level[2]<level[i])&&(i==3||level[3]<level[i])&&(i==4||level[4]<level[i]))
#define some (at[0]==waiting||at[1]==waiting||at[2]==waiting||at[3]==waiting||at[4]==waiting)
active [N] proctype p() {
  do
  :: d_step { at[_pid]==idle -> level[_pid]=1; at[_pid]=announce }
  :: d_step { at[_pid]==announce -> turn[level[_pid]]=_pid; at[_pid]=waiting }
  :: d_step { at[_pid]==waiting && (turn[level[_pid]]!=_pid || alone(_pid)) ->
      if :: level[_pid]==N-1 -> at[_pid]=critical; tick=(tick+1)%32 :: else -> level[_pid]++; at[_pid]=announce fi }
  :: d_step { at[_pid]==critical -> level[_pid]=0; at[_pid]=idle }
  od
}
ltl live { [] <> some }
