"""A receiver that does each request once: it keeps its answers under their Idempotency-Key, together with what it did.

Python's standard library only: python3 receiver.py [--port 8000] [--file received.sqlite] [--lose 0]
"""

import argparse
import json
import sqlite3
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TABLES = """
create table if not exists answer (key text primary key, status integer not null, body text not null);
create table if not exists sync (id integer primary key, since text);
"""


def sync(database, order):
    """The work: an insert without a key of its own. What keeps it single is the answer beside it."""
    number = database.execute("insert into sync (since) values (?)", [order.get("since")]).lastrowid
    return 200, json.dumps({"sync": number})


def answer(file, key, order):
    """The kept answer, or the work's; work and answer are one transaction. The second of two at a time waits here."""
    database = sqlite3.connect(file, timeout=60, isolation_level=None)
    try:
        database.execute("begin immediate")
        kept = database.execute("select status, body from answer where key = ?", [key]).fetchone()
        if kept is None:
            kept = sync(database, order)
            database.execute("insert into answer values (?, ?, ?)", [key, *kept])
        database.execute("commit")
        return kept
    finally:
        database.close()  # what was not committed is undone


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        key = self.headers.get("Idempotency-Key")
        if not key:
            self.reply(400, json.dumps({"error": "an Idempotency-Key is needed: without one this would be done twice"}))
            return
        status, text = answer(self.server.file, key, json.loads(body or b"{}"))
        self.server.requests += 1
        if self.server.lose and self.server.requests % self.server.lose == 0:
            print(f"lost the answer to {key}", file=sys.stderr, flush=True)
            self.close_connection = True  # as a network may lose it: the work is done, and the sender cannot know
            return
        self.reply(status, text)

    def reply(self, status, text):
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--port", type=int, default=8000)
    words.add_argument("--file", default="received.sqlite")
    words.add_argument("--lose", type=int, default=0, help="lose every so many-th answer, to see the next attempt come")
    given = words.parse_args()
    database = sqlite3.connect(given.file)
    database.executescript(TABLES)
    database.close()
    server = ThreadingHTTPServer(("127.0.0.1", given.port), Receiver)
    server.file, server.lose, server.requests = given.file, given.lose, 0
    print(f"receiving at http://127.0.0.1:{server.server_port}", file=sys.stderr, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
