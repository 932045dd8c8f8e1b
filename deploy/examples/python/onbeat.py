"""Onbeat for Python: what a program that `exec` starts knows of its run, and the tools to do things once.

One file without dependencies: copy it beside your program (Python 3.9 or newer).

    import onbeat

    def main(run):
        with onbeat.once("mail") as step:          # once in this run, however often it is tried
            if step.todo:
                send_mail(run.input["to"])
        return {"sent": 1}                         # kept as the run's result

    if __name__ == "__main__":
        onbeat.main(main)

`once` asks the ledger itself where psycopg2 or psycopg is installed and ONBEAT_DATABASE_URL is set; else it goes over the
command line, `onbeat once`. `lock` always does. The command is $ONBEAT_COMMAND, or `onbeat` on the PATH, or the launcher of
the Onbeat that this file lies in. Settings are read from the environment, or from the file that ONBEAT_CONFIG names.
"""

import functools
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import uuid
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

RETRY_LATER = 75


class Busy(Exception):
    """Somebody else is at it just now. `main` and `once_per_run` make another attempt of it."""


class Lost(Exception):
    """The step or the lock was taken over by another while this program was at it."""


class Run:
    """One attempt, as `exec` tells of it in the file ONBEAT_RUN_FILE."""

    def __init__(self, told):
        self.run_key = told["run_key"]
        self.schedule = told["schedule"]
        self.task = told["task"]
        self.fire_at = _instant(told["fire_at"])
        self.attempt = told["attempt"]
        self.max_attempts = told["max_attempts"]
        self.args = told["args"]
        self.input = told["args"].get("input")
        self.work_dir = Path(os.environ["ONBEAT_WORK_DIR"])


def run():
    """The run that this program is an attempt of. RuntimeError where `exec` did not start it."""
    path = os.environ.get("ONBEAT_RUN_FILE")
    if not path:
        raise RuntimeError("not started by Onbeat: ONBEAT_RUN_FILE is not set")
    return Run(json.loads(Path(path).read_text(encoding="utf-8")))


def result(value):
    """Prints a dict or a list as the run's result; the last one counts."""
    print(_json(value), flush=True)


def retry_later(reason=""):
    """Ends the program: this attempt has failed, and the next one comes after the schedule's `retry_after`."""
    print(reason or "to be tried again later", file=sys.stderr, flush=True)
    raise SystemExit(RETRY_LATER)


def main(work):
    """Calls work(run) and prints what it returns, unless None, as the run's result."""
    try:
        value = work(run())
    except Busy as busy:
        retry_later(str(busy))
    if value is not None:
        result(value)


class Step:
    """`todo`: whether to do it now. `result`: what to keep, a dict or a list; where it was done before, what was kept.

    `start` counts its starts: above 1, an earlier one was not seen to finish, and may have had its effect or not.
    """

    def __init__(self, todo, start=1, result=None):
        self.todo, self.start, self.result = todo, start, result


@contextmanager
def once(name=None, *, key=None, lease=30, run_key=None):
    """Does a step once: `with once("mail") as step: if step.todo: …`

    A name is unique among the attempts of this run, a key among all that is ever done with this ledger. An exception gives
    the step up, so that another attempt does it. At least once: a machine that dies after the work and before the record
    leaves a start without a finish, and the next one has a `start` above 1. Raises Busy where another is at it just now,
    Lost at the end where another has taken it over.
    """
    run_key = run_key or os.environ.get("ONBEAT_RUN_KEY")
    if (name is None) == (key is None):
        raise ValueError("once takes a name or a key")
    if key is None:
        if not run_key:
            raise ValueError("a name is unique in a run, and there is none here: give a key")
        key = f"run:{run_key}#{name}"
    connect = _connect()
    held = _LedgerOnce(connect, key, run_key, lease) if connect else _CommandOnce(key, run_key, lease)
    step = held.begin()
    if not step.todo:
        yield step
        return
    try:
        yield step
        kept = None if step.result is None else _json(step.result)
    except BaseException:
        held.give_up()
        raise
    held.finish(kept)


class Held:
    """`token` grows with every holder of the lock: a receiver can refuse a smaller one than it has seen."""

    def __init__(self, process, token):
        self._process, self.token = process, token

    def check(self):
        """Raises Lost where the lock is no longer held."""
        if self._process.poll() is not None:
            raise Lost("the lock was lost")


@contextmanager
def lock(name, wait=0, ttl=30):
    """Holds a lock: `with lock("stock") as held: …` Waits for it so many seconds, then raises Busy.

    It is renewed while it is held, and free `ttl` seconds after its machine has died. A loss does not stop this program:
    ask `held.check()` before each part of the work, or give `held.token` to a receiver that refuses an older one.
    """
    words = ["lock", name, "--wait", f"{int(wait * 1000)}ms", "--ttl", f"{int(ttl * 1000)}ms"]
    process, line = _hold(words, "ONBEAT_LOCK_TOKEN")
    if line is None:
        raise _refusal(process, f"the lock {name}")
    held = Held(process, int(line))
    try:
        yield held
    except BaseException:
        _let_go(process, None)
        raise
    if _let_go(process, "") != 0:
        raise Lost(f"the lock {name} was lost")


def once_per_run(function):
    """For Celery tasks, under @app.task: a message that comes twice is worked off once, and the kept result is returned.

    A copy that comes while the first is at it is retried by Celery half a minute later.
    """

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        from celery import current_task

        request = current_task.request
        run_key = getattr(request, "onbeat_run_key", None)
        try:
            with once(key=f"celery:{request.id}", run_key=run_key or f"celery:{request.id}") as step:
                if step.todo:
                    step.result = {"result": function(*args, **kwargs)}
        except Busy as busy:
            raise current_task.retry(exc=busy, countdown=30, max_retries=request.retries + 1)
        return step.result["result"]

    return wrapper


# --- over the command line -------------------------------------------------------------------------------------------

_MARK = "onbeat-holds:"
# says that it is held, and ends when it is told to: with a line, well; without one, with an error
_HOLD = 'echo "{mark}${variable}"; IFS= read -r line && printf "%s\\n" "$line"'


class _CommandOnce:
    def __init__(self, key, run_key, lease):
        self.key, self.run_key, self.lease = key, run_key, lease

    def begin(self):
        words = ["once", self.key, "--lease", f"{int(self.lease * 1000)}ms"]
        self.process, line = _hold(words, "ONBEAT_ONCE_START", self.run_key)
        if line is not None:
            return Step(True, int(line))
        if self.process.returncode != 0:
            raise _refusal(self.process, self.key)
        return Step(False, result=json.loads(self.process.said) if self.process.said.strip() else None)

    def finish(self, kept):
        if _let_go(self.process, kept or "") != 0:
            raise Lost(f"{self.key} was taken over, or its finish could not be put on record")

    def give_up(self):
        _let_go(self.process, None)


def _hold(words, variable, run_key=None):
    """Starts `onbeat WORDS -- sh` that waits, and gives the value of its variable; None where it has ended instead."""
    script = _HOLD.format(mark=_MARK, variable=variable)
    environment = {**os.environ, **({"ONBEAT_RUN_KEY": run_key} if run_key else {})}
    process = subprocess.Popen(
        [*_command(), *words, "--", "sh", "-c", script],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=environment)
    line = process.stdout.readline()
    if line.startswith(_MARK):
        return process, line[len(_MARK):].strip()
    process.said = line + process.communicate()[0]
    return process, None


def _let_go(process, line):
    try:
        if line is not None:
            process.stdin.write(line + "\n")
        process.stdin.close()
    except OSError:
        pass  # it has ended: its exit code tells
    process.stdout.read()
    return process.wait()


def _refusal(process, what):
    if process.returncode == RETRY_LATER:
        return Busy(f"another is at {what}")
    return RuntimeError(f"onbeat ended with {process.returncode} for {what}: {process.said.strip()}")


def _command():
    given = os.environ.get("ONBEAT_COMMAND") or shutil.which("onbeat")
    if given:
        return given.split()
    launcher = Path(__file__).resolve().parents[3] / "onbeat" if len(Path(__file__).resolve().parents) > 3 else None
    if launcher and launcher.is_file():
        return [str(launcher)]
    raise RuntimeError("no command onbeat is on the PATH: set ONBEAT_COMMAND")


# --- at the ledger ---------------------------------------------------------------------------------------------------

_LIVE = """(case when step.lease_until is null
    then exists (select from {0}.run
                 where run.key = step.run_key and run.state = 'running' and run.lease_token = step.holder)
    else step.lease_until > {0}.clock() end)"""
_BEGIN = """insert into {0}.once as step (key, run_key, holder, lease_until, started_at)
    values (%s, %s, %s, {0}.clock() + %s * interval '1 second', {0}.clock())
    on conflict (key) do update
        set run_key = excluded.run_key, holder = excluded.holder, lease_until = excluded.lease_until,
            starts = step.starts + 1, started_at = excluded.started_at
        where step.finished_at is null and (step.holder = excluded.holder or not """ + _LIVE + """)
    returning starts"""
_STANDING = "select finished_at is not null, result::text, run_key from {0}.once where key = %s"
_RENEW = """update {0}.once set lease_until = {0}.clock() + %s * interval '1 second'
    where key = %s and holder = %s and finished_at is null returning 1"""
_FINISH = """update {0}.once set finished_at = coalesce(finished_at, {0}.clock()), result = %s::json, lease_until = null
    where key = %s and holder = %s returning 1"""
_GIVE_UP = "update {0}.once set lease_until = '-infinity' where key = %s and holder = %s and finished_at is null returning 1"


class _LedgerOnce:
    """A start that is kept by a lease of its own, renewed on a thread."""

    def __init__(self, connect, key, run_key, lease):
        self.connect, self.key, self.lease = connect, key, lease
        self.run_key = run_key or f"python:{os.getpid()}"
        self.holder = str(uuid.uuid4())
        self.over = threading.Event()

    def begin(self):
        started = self._ask(_BEGIN, self.key, self.run_key, self.holder, self.lease)
        if started:
            threading.Thread(target=self._keep, name="onbeat-once", daemon=True).start()
            return Step(True, started[0])
        finished, kept, owner = self._ask(_STANDING, self.key)
        if not finished:
            raise Busy(f"{owner} is at {self.key} just now")
        return Step(False, result=json.loads(kept) if kept else None)

    def finish(self, kept):
        give_up_at = time.monotonic() + self.lease
        while True:
            try:
                recorded = self._ask(_FINISH, kept, self.key, self.holder)
                break
            except Exception:  # of whichever driver: the ledger may be back soon, and the lease goes on
                if time.monotonic() > give_up_at:
                    raise
                time.sleep(1)
        self.over.set()
        if not recorded:
            raise Lost(f"{self.key} was taken over by another")

    def give_up(self):
        self.over.set()
        try:
            self._ask(_GIVE_UP, self.key, self.holder)
        except Exception as away:  # its lease ends it
            print(f"onbeat: {self.key} could not be given up: {away}", file=sys.stderr)

    def _keep(self):
        while not self.over.wait(self.lease / 3):
            try:
                self._ask(_RENEW, self.lease, self.key, self.holder)
            except Exception:  # of whichever driver: tried again
                continue

    def _ask(self, sql, *values):
        connection = self.connect()
        try:
            with connection.cursor() as cursor:
                cursor.execute(sql.format(_setting("ONBEAT_NAMESPACE", "onbeat")), values)
                row = cursor.fetchone()
            connection.commit()
            return row
        finally:
            connection.close()


def _connect():
    """How to reach the ledger, or None where that cannot be from here."""
    url = _setting("ONBEAT_DATABASE_URL")
    if not url:
        return None
    try:
        import psycopg2 as driver
    except ImportError:
        try:
            import psycopg as driver
        except ImportError:
            return None
    address = url.removeprefix("jdbc:").split("?")[0]
    user = _setting("ONBEAT_DATABASE_USER", "onbeat")
    password = _secret("ONBEAT_DATABASE_PASSWORD", "onbeat")
    return functools.partial(
        driver.connect, address, user=user, password=password, connect_timeout=5, application_name="onbeat-python")


def _setting(name, otherwise=None):
    return os.environ.get(name) or _file_settings().get(name) or otherwise


def _secret(name, otherwise):
    path = _setting(name + "_FILE")
    return Path(path).read_text(encoding="utf-8").rstrip() if path else _setting(name, otherwise)


def _file_settings():
    path = os.environ.get("ONBEAT_CONFIG")
    if not path:
        return {}
    lines = (line.strip().partition("=") for line in Path(path).read_text(encoding="utf-8").splitlines())
    return {name.strip(): value.strip() for name, equals, value in lines if equals and not name.startswith("#")}


def _json(value):
    if not isinstance(value, (dict, list, tuple)):
        raise TypeError(f"a result is a dict or a list, not {value!r}")
    return json.dumps(value, allow_nan=False)


def _instant(text):
    return datetime.fromisoformat(text[:19]).replace(tzinfo=timezone.utc)
