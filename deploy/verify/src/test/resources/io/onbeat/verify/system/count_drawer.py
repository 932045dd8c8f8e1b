"""What CountTill does, as a program: the lock comes over the command line."""

import os
import random

import psycopg2

import onbeat


def main(run):
    luck = random.Random(f"{run.input['seed']} {run.run_key} {run.attempt}")
    with onbeat.lock("drawer", wait=60, ttl=3) as held:
        connection = psycopg2.connect(os.environ["SHOP"])
        cursor = connection.cursor()
        cursor.execute("select count(*) from verify.entry where till = 'lock-command' and run_key = %s", [run.run_key])
        if cursor.fetchone()[0]:
            return
        cursor.execute("select level from verify.till where name = 'lock-command'")
        level = cursor.fetchone()[0] + 1
        connection.commit()
        cursor.execute("select pg_sleep(0.02)")
        if luck.random() < 0.1:
            raise RuntimeError("bad luck at the drawer")
        cursor.execute(
            "update verify.till set level = %s, token = %s where name = 'lock-command' and token <= %s",
            [level, held.token, held.token])
        if cursor.rowcount != 1:
            raise RuntimeError(f"a holder after token {held.token} was at the drawer")
        cursor.execute(
            "insert into verify.entry (till, level, token, run_key) values ('lock-command', %s, %s, %s)",
            [level, held.token, run.run_key])
        connection.commit()
    if luck.random() < 0.1:
        raise RuntimeError("bad luck on the way back")


onbeat.main(main)
