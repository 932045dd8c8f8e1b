"""Celery as a peer. `celery_peer.py COUNT` takes a round for each line of the input, answers it with a line of JSON, and
ends with the input. Its worker, of the same file, runs all the time, and consumes the queue of the jobs in the rounds only.
What the jobs leave stands in a file that both have mapped: for each job how often it ended, and when."""
import json
import mmap
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote

import celery
from celery import signals

LIMIT_SECONDS = 600
RECORD = struct.Struct("=qd")
QUEUE = "peer-jobs" + ("-results" if os.environ.get("PEER_RESULTS") else "")
# two of these run at the same broker
NODE = f"{QUEUE}@{socket.gethostname()}"


def results():
    if not os.environ.get("PEER_RESULTS"):
        return None
    place = os.environ["PEER_DATABASE_URL"].split("://", 1)[1].split("?", 1)[0]
    user, password = (quote(os.environ["PEER_DATABASE_" + part], safe="") for part in ("USER", "PASSWORD"))
    return f"db+postgresql+psycopg2://{user}:{password}@{place}"


app = celery.Celery("peer", broker=os.environ["PEER_AMQP_URL"], backend=results())
app.conf.update(
    task_acks_late=True,
    task_ignore_result=results() is None,
    task_default_queue=QUEUE,
    task_create_missing_queues=True,
    worker_prefetch_multiplier=128,
)
marks = None
worker = None
bench = os.getppid()


@app.task(name="noop")
def noop(number):
    pass


@signals.task_postrun.connect
def ended(args, **_):
    """Comes when the result, if there is one, is stored."""
    number = args[0]
    times, _ = RECORD.unpack_from(marks, number * RECORD.size)
    RECORD.pack_into(marks, number * RECORD.size, times + 1, time.monotonic())


def map_marks():
    global marks
    with open(os.environ["PEER_MARKS"], "r+b") as file:
        marks = mmap.mmap(file.fileno(), 0)


def until(what, sign):
    limit = time.monotonic() + LIMIT_SECONDS
    while not sign():
        if worker.poll() is not None:
            sys.exit(f"the worker has ended with {worker.returncode} before {what}")
        if os.getppid() != bench:
            sys.exit("the benchmark is gone")
        if time.monotonic() > limit:
            sys.exit(f"waited {LIMIT_SECONDS} s in vain until {what}")
        time.sleep(0.005)


def take_round(count):
    marks[:] = bytes(len(marks))
    app.control.add_consumer(QUEUE, destination=[NODE], reply=True, timeout=5)
    begun = time.monotonic()
    for number in range(count):
        noop.delay(number)
    last = (count - 1) * RECORD.size
    until("the last job has ended", lambda: RECORD.unpack_from(marks, last)[0] > 0)
    until("all jobs have ended", lambda: all(times for times, _ in RECORD.iter_unpack(marks)))
    app.control.cancel_consumer(QUEUE, destination=[NODE], reply=True, timeout=5)
    records = list(RECORD.iter_unpack(marks))
    wrong = [number for number, (times, _) in enumerate(records) if times != 1]
    if wrong:
        sys.exit(f"{len(wrong)} jobs ran more than once, the first of them {wrong[0]}")
    return max(end for _, end in records) - begun


def main(count):
    global worker
    with tempfile.NamedTemporaryFile() as file:
        file.truncate(count * RECORD.size)
        os.environ["PEER_MARKS"] = file.name
        map_marks()
        worker = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "celery_peer", "worker", "-n", NODE, "-Q", QUEUE + "-idle", "-c", "2",
             "--without-gossip", "--without-mingle", "-l", "WARNING"],
            cwd=os.path.dirname(os.path.abspath(__file__)), stdin=subprocess.DEVNULL, stdout=sys.stderr)
        try:
            until("the worker answers", lambda: app.control.ping(destination=[NODE], timeout=2))
            for _ in sys.stdin:
                seconds = take_round(count)
                print(json.dumps({"jobs": count, "seconds": seconds, "version": celery.__version__}), flush=True)
        finally:
            worker.terminate()
            worker.wait()


if __name__ == "__main__":
    # the tasks belong to the module that the worker imports, not to __main__
    import celery_peer

    celery_peer.main(int(sys.argv[1]))
elif "PEER_MARKS" in os.environ:
    map_marks()
