# Runs a command that never outlives the process which started this script:
#   guard PIDFILE SIGNAL TENTHS WATCH COMMAND...
# Standard input is a pipe that the starter holds open. When it closes, by the starter's word or by its death, the
# command gets SIGNAL, and KILL for its whole group once TENTHS of a second have passed.
pidfile=$1 signal=$2 tenths=$3 watch=$4
shift 4

# A Ctrl-C in the terminal is the starter's to judge.
trap : HUP INT QUIT TERM

# Sessions of their own keep the command and the watch out of reach of what is sent to the starter's group.
if command -v setsid >/dev/null 2>&1; then
    alone() { exec setsid "$@"; }
else
    alone() { exec perl -MPOSIX -e 'POSIX::setsid(); exec @ARGV' "$@"; }
fi

exec 3<&0 </dev/null
alone "$@" 3<&- &
child=$!
echo "$child" >"$pidfile"
alone sh -c "$watch" watch "$child" "$signal" "$tenths" <&3 3<&- >/dev/null 2>&1 &
watcher=$!
exec 3<&-

while :; do
    wait "$child"
    code=$?
    kill -0 "$child" 2>/dev/null || break
done
kill -s KILL "$watcher" 2>/dev/null
rm -f "$pidfile"
exit "$code"
