"""A daily report as a program of its own, started by `exec`: one file for each day, whatever is tried again."""

import os
from pathlib import Path

import onbeat


def main(run):
    day = run.fire_at.date()
    folder = Path(run.input["folder"])
    with onbeat.once("write") as step:
        if step.todo:
            # written beside the others and moved in one step: whole, or not there
            draft = run.work_dir / "report.txt"
            draft.write_text(f"{run.input['title']}, {day}\n", encoding="utf-8")
            folder.mkdir(parents=True, exist_ok=True)
            half = folder / f".{day}.half"
            half.write_bytes(draft.read_bytes())
            os.replace(half, folder / f"{day}.txt")
            step.result = {"file": str(folder / f"{day}.txt")}
    print(f"attempt {run.attempt} of {run.run_key}", flush=True)
    return step.result


if __name__ == "__main__":
    onbeat.main(main)
