/**
 * A script for /bin/sh that uses only the POSIX features that dash, bash 3.2 and busybox share. It reads lines `SINCE
 * MARKER,… LEADER … / LEADER …` from stdin, of which the last complete one counts. They name processes with one of the
 * markers (none if it is `-`) that are not older than SINCE (clock ticks since boot), running leaders, and leaders that
 * have ended but left part of their group running. When the other end is closed, it ends all of these and their
 * descendants: with SIGTERM, and after a second with SIGSTOP and SIGKILL, so that nothing is left after two seconds.
 *
 * It ignores signals from a terminal or a logout, because it has to be the last to end. Parents and groups are read
 * from /proc, elsewhere from ps; without either only the groups are ended. (It says `kill -TERM -N`, because dash does
 * not accept `--` after the signal.)
 */
export const WATCHER_SCRIPT = `
trap '' HUP INT QUIT TERM PIPE TSTP TTIN TTOU
since=0 markers=- list=
while read -r first second rest; do since=$first markers=$second list=$rest; done

groups=' ' ended=
for leader in $list; do
  if [ "$leader" = / ]; then ended=yes
  elif ! [ "$leader" -gt 1 ]; then continue
  # A number whose group is still there is not given away: a living process of that number is a stranger.
  elif [ -z "$ended" ] || ! kill -0 "$leader"; then groups="$groups$leader "
  fi
done

# What is shorter than a marker could stand in anybody's environment.
patterns=
IFS=,
for marker in $markers; do
  case $marker in
    *[!0-9a-f-]*) ;;
    ????????????????????????*) patterns="$patterns =$marker :$marker" ;;
  esac
done
unset IFS

# Without starting anything: there may be hundreds to look at.
read_cgroup() {
  cgroup=
  while read -r line; do cgroup="$cgroup$line "; done <"$1/cgroup"
}
read_cgroup /proc/self
own_cgroup=$cgroup

# Only what is this user's, and where the system keeps what comes from here: a service may have been given a marker, too.
find_marked() {
  marked=' '
  [ -n "$patterns" ] || return
  if [ -r /proc/self/environ ]; then
    for file in $(grep -lszF "$(printf '%s\\n' $patterns)" /proc/[0-9]*/environ); do
      folder=\${file%/environ}
      [ -O "$folder" ] || continue
      read_cgroup "$folder"
      [ "$cgroup" != "$own_cgroup" ] || marked="$marked\${folder#/proc/} "
    done
  else
    marked=" $(ps -x -ww -E -o pid= -o command= | grep -F "$(printf '%s\\n' $patterns)" | while read -r pid rest; do echo "$pid"; done | tr '\\n' ' ')"
  fi
}

processes() {
  if [ -r /proc/self/stat ]; then
    for folder in /proc/[0-9]*; do
      read -r stat <"$folder/stat" || continue
      set -- \${stat##*) }
      echo "$1 \${folder#/proc/} $2 $3 $4 \${20}"
    done
  else
    ps -A -o stat= -o pid= -o ppid= -o pgid=
  fi
}

# Members are kept as PID.START, so that a number which was given away is nobody's.
members=' '
collect() {
  find_marked
  known=$members members=' ' before=
  table=$(processes)
  while [ "$before" != "$members" ]; do
    before=$members
    while read -r state pid parent group session start; do
      case $state:$group in Z*|X*|*:$$) continue ;; esac
      member="$pid.$start "
      case $members in *" $member"*) continue ;; esac
      case $known in *" $member"*) members=$members$member; continue ;; esac
      [ "\${start:-$since}" -ge "$since" ] || continue
      case $groups$marked in *" $pid "*) members=$members$member; continue ;; esac
      case $groups in
        *" $group "*|*" $session "*) members=$members$member; continue ;;
      esac
      case $groups$members in
        *" $parent "*|*" $parent."*) members=$members$member ;;
      esac
    done <<TABLE
$table
TABLE
  done
}

signal() {
  for group in $groups; do kill "$1" "-$group"; done
  for member in $members; do kill "$1" "\${member%.*}"; done
}

answers() {
  for group in $groups; do kill -0 "-$group" && return 0; done
  for member in $members; do kill -0 "\${member%.*}" && return 0; done
  return 1
}

# A process that ended and was not asked for its exit code still answers: only the table tells.
is_gone() { [ -n "$table" ] && [ "$members" = ' ' ]; }

if [ "$groups" = ' ' ]; then
  find_marked
  [ "$marked" != ' ' ] || exit 0
fi
collect
is_gone && exit 0
signal -TERM
for tenth in 1 2 3 4 5 6 7 8 9 10; do
  is_gone && break
  sleep 0.1 || sleep 1
  answers || collect
done
# What is stopped starts nothing while the rest is looked for.
for round in 1 2 3 4 5 6 7 8; do
  for look in 1 2 3 4 5 6; do
    signal -STOP
    stopped=$members
    collect
    [ "$members" != "$stopped" ] || break
  done
  signal -KILL
  is_gone || sleep 0.1 || sleep 1
  collect
  is_gone && exit 0
done
`;
