"""A Celery app as a team has it. Onbeat publishes for it; its workers, retries and results stay Celery's."""

import json
import os

from celery import Celery, current_task

import onbeat

# the broker is in CELERY_BROKER_URL, a variable of Celery's own
app = Celery("shop")
# the message is acknowledged after the work: a worker that dies leaves it to another, and once_per_run sorts that out
app.conf.task_acks_late = True
app.conf.task_reject_on_worker_lost = True
# a message that waits for its turn in a worker keeps it from the others
app.conf.worker_prefetch_multiplier = 1


@app.task(name="shop.settle")
@onbeat.once_per_run
def settle(*args, **kwargs):
    """Writes one line for each run, with all that it was told."""
    told = {"run_key": getattr(current_task.request, "onbeat_run_key", None), "args": args, "kwargs": kwargs}
    with open(os.environ.get("SHOP_LEDGER", "settled.jsonl"), "a", encoding="utf-8") as ledger:
        ledger.write(json.dumps(told) + "\n")
    return told
