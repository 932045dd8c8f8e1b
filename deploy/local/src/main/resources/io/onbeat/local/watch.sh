# Waits until the pipe on standard input closes, then ends the process group of a command: watch PID SIGNAL TENTHS
child=$1 signal=$2 tenths=$3

# Where nobody reaps orphans, a dead process still has its number.
living() {
    kill -0 "$child" && ! grep -q '^State:[[:space:]]*Z' "/proc/$child/status"
}

read -r _
kill -s "$signal" "$child"
while living && [ "$tenths" -gt 0 ]; do
    sleep 0.1
    tenths=$((tenths - 1))
done
kill -s KILL -- "-$child"
