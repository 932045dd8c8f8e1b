"""Sends a letter once, among four runs that are told to. One of them comes over the command line, three ask the ledger."""

import os
import random
import subprocess
import sys

import psycopg2

import onbeat


def send(seed, letter, start):
    """Sends it, and asks first where an earlier start may have sent it: that is all, the table has no key."""
    luck = random.Random(f"{seed} {letter} {start}")
    if luck.random() < 0.2:
        sys.exit("bad luck before the letter")
    connection = psycopg2.connect(os.environ["SHOP"])
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("select pg_sleep(0.1)")
    earlier = 0
    if start > 1:
        cursor.execute("select count(*) from verify.letter where number = %s", [letter])
        earlier = cursor.fetchone()[0]
    if not earlier:
        cursor.execute("insert into verify.letter (number) values (%s)", [letter])
    if luck.random() < 0.2:
        sys.exit("bad luck after the letter")


def main(run):
    number = int(run.run_key.rsplit("-", 1)[1])
    letter = number % 25
    if number < 25:
        command = [sys.executable, __file__, str(run.input["seed"]), str(letter)]
        once = [os.environ["ONBEAT_COMMAND"], "once", f"letter-{letter}", "--lease", "5s", "--", *command]
        sys.exit(subprocess.run(once).returncode)
    with onbeat.once(key=f"letter-{letter}", lease=5) as step:
        if step.todo:
            send(run.input["seed"], letter, step.start)


if "ONBEAT_ONCE_START" in os.environ:
    send(sys.argv[1], int(sys.argv[2]), int(os.environ["ONBEAT_ONCE_START"]))
else:
    onbeat.main(main)
