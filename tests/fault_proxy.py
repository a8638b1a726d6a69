"""A server between an engine and another server that injects faults into chosen requests.

Behind it stands a function (a scripted server) or another server's address. A fault is named for each request, in the
order in which requests arrive; an empty name passes the answer on as it is.
"""

import json
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

#: Faults after which a client that asks again gets its answer.
PASSING = (
    "hang",  # no answer for longer than the client waits
    "drop",  # the connection is cut
    "429",  # too many requests, with Retry-After
    "429 bare",  # too many requests, without a word
    "500",
    "503",
    "cut",  # half a body
    "stream",  # a chunked body that ends in mid-air
    "trickle",  # a body that never ends and is never idle for long
    "garbage",  # no JSON
    "model",  # the answer of another model
    "dropped",  # no log-probabilities any more
    "nulls",  # log-probabilities that are all null
)
#: What no second try mends: thoughts in a field of their own, for a rule to judge.
REASONING = "reasoning"


class FaultProxy:
    """An HTTP server on a free loopback port; use it in a ``with`` block.

    ``upstream``: gives status and JSON of the answer to a body, or the address to which requests are passed on;
    ``faults``: names of faults, used up one by one; or a function of a request's number and body; ``hang``: seconds
    that a hanging request takes; ``injected``: faults by name; ``n``, ``most``: requests so far, and the most that
    were under way together.
    """

    def __init__(self, upstream, faults=(), hang=1.2):
        self.upstream, self.hang = upstream, hang
        self.faults = faults if callable(faults) or isinstance(faults, list) else list(faults)
        self.injected = Counter()
        self.n = self.busy = self.most = 0
        self.lock = threading.Lock()
        proxy = self

        class Handler(_Handler):
            owner = proxy

        self.server = _Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    @property
    def url(self):
        """Its address."""
        return f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def begin(self, body):
        """The fault of one more request."""
        with self.lock:
            self.n, self.busy = self.n + 1, self.busy + 1
            self.most = max(self.most, self.busy)
            if callable(self.faults):
                fault = self.faults(self.n, body)
            else:
                fault = self.faults.pop(0) if self.faults else ""
            if fault:
                self.injected[fault] += 1
            return fault

    def end(self):
        """The request has ended."""
        with self.lock:
            self.busy -= 1

    def answer(self, path, body):
        """Status and JSON of the answer from behind."""
        if callable(self.upstream):
            with self.lock:
                return self.upstream(body)
        request = urllib.request.Request(
            self.upstream + path, json.dumps(body).encode(), {"content-type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"{}")


def altered(data, fault):
    """The answer with what the fault does to its content."""
    choice = data["choices"][0]
    if fault == "model":
        return {**data, "model": "another-model"}
    if fault == "dropped":
        return {**data, "choices": [{**choice, "logprobs": None}]}
    if fault == "nulls":
        logprobs = choice["logprobs"]
        if "content" in logprobs:
            rows = [{**row, "logprob": None} for row in logprobs["content"]]
            return {**data, "choices": [{**choice, "logprobs": {**logprobs, "content": rows}}]}
        values = [None] * len(logprobs["token_logprobs"])
        return {**data, "choices": [{**choice, "logprobs": {**logprobs, "token_logprobs": values}}]}
    if fault == REASONING:
        message = {**choice["message"], "reasoning_content": "Let me think about that."}
        return {**data, "choices": [{**choice, "message": message}]}
    return data


class _Server(ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """A client that goes away in the middle of its request is no error here."""
        if not isinstance(sys.exc_info()[1], ConnectionError | json.JSONDecodeError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner = None

    def log_message(self, *args):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        fault = self.owner.begin(body)
        try:
            self.reply(fault, *self.owner.answer(self.path, body))
        except OSError:
            self.close_connection = True  # the client has gone
        finally:
            self.owner.end()

    def reply(self, fault, status, content):
        if fault == "hang":
            time.sleep(self.owner.hang)
            self.close_connection = True
            return
        if fault == "drop":
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        data = json.dumps(altered(content, fault) if status == 200 else content).encode()
        if fault[:3].isdigit():
            status, data = int(fault[:3]), b"{}"
        if fault == "garbage":
            data = b"{not json"
        self.send_response(status)
        self.send_header("content-type", "application/json")
        if fault == "429":
            self.send_header("retry-after", "0.2")
        if fault == "stream":
            self.send_header("transfer-encoding", "chunked")
        else:
            self.send_header("content-length", str(len(data)))
        self.end_headers()
        half = data[: len(data) // 2]
        if fault == "trickle":
            for i in range(12):
                self.wfile.write(data[i : i + 1])
                self.wfile.flush()
                time.sleep(self.owner.hang / 12)
        elif fault == "stream":
            self.wfile.write(b"%x\r\n%s\r\n" % (len(half), half))
        else:
            self.wfile.write(half if fault == "cut" else data)
        if fault in ("trickle", "stream", "cut"):
            self.close_connection = True
