/**
 * For /bin/sh, of POSIX only what dash, bash 3.2 and busybox share. Reads lines `LEADER … / LEADER …` from stdin, of which the
 * last one counts: the leaders before the slash run, those behind it have ended and left something of their group behind. When
 * nobody holds the other end any more, what is listed ends with all that came from it: SIGTERM, after two seconds SIGKILL.
 *
 * It ignores what a terminal or a logout sends: it has to be the last to go. Who belongs to whom is read from /proc, elsewhere
 * from ps; without either the groups alone are ended. (`kill -TERM -N`: dash does not take `--` behind the signal.)
 */
export const WATCHER_SCRIPT = `
trap '' HUP INT QUIT TERM PIPE TSTP TTIN TTOU
list=
while read -r line; do list=$line; done

groups=' ' ended=
for leader in $list; do
  if [ "$leader" = / ]; then ended=yes
  # A number whose group is still there is not given away: a living process of that number is a stranger.
  elif [ -z "$ended" ] || ! kill -0 "$leader"; then groups="$groups$leader "
  fi
done
[ "$groups" != ' ' ] || exit 0

processes() {
  if [ -r /proc/self/stat ]; then
    for folder in /proc/[0-9]*; do
      read -r stat <"$folder/stat" || continue
      set -- \${stat##*) }
      echo "$1 \${folder#/proc/} $2 $3 $4"
    done
  else
    ps -A -o stat= -o pid= -o ppid= -o pgid=
  fi
}

members=' '
collect() {
  known=$members members=' ' before=
  table=$(processes)
  while [ "$before" != "$members" ]; do
    before=$members
    while read -r state pid parent group session; do
      case $state:$group in Z*|X*|*:$$) continue ;; esac
      case $members in *" $pid "*) continue ;; esac
      case $known$groups in
        *" $pid "*) members="$members$pid "; continue ;;
      esac
      case $groups in
        *" $group "*|*" $session "*) members="$members$pid "; continue ;;
      esac
      case $groups$members in
        *" $parent "*) members="$members$pid " ;;
      esac
    done <<TABLE
$table
TABLE
  done
}

signal() {
  for group in $groups; do kill "$1" "-$group"; done
  for pid in $members; do kill "$1" "$pid"; done
}

answers() {
  for group in $groups; do kill -0 "-$group" && return 0; done
  for pid in $members; do kill -0 "$pid" && return 0; done
  return 1
}

# A process that ended and was not asked for its exit code still answers: only the table tells.
is_gone() { [ -n "$table" ] && [ "$members" = ' ' ]; }

collect
is_gone && exit 0
signal -TERM
for half in 1 2 3 4; do
  for tenth in 1 2 3 4 5; do
    sleep 0.1 || sleep 1
    answers || exit 0
  done
  collect
  is_gone && exit 0
done
signal -KILL
`;
