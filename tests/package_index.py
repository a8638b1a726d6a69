"""A package index on this machine, for tests that let pip itself fetch; and what one changed byte is."""

import hashlib
import os
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

#: Places of the byte that tests change in a file: its first, one in the middle, its last.
PLACES = (0.0, 0.5, 1.0)


def flipped(content, place):
    """The content with one bit of one byte changed, so far into it."""
    changed = bytearray(content)
    changed[int(place * (len(content) - 1))] ^= 1
    return bytes(changed)


def alone(monkeypatch, index):
    """Let pip know no index but this one."""
    for name in [name for name in os.environ if name.upper().startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", index.url)
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


class Index:
    """A package index on loopback, as PEP 503 has it, of real packages; what pip asks for is counted.

    ``breaks`` names a file that is cut off half-way; ``flips`` is the place of a byte that is changed in every file.
    """

    def __init__(self, folder):
        self.folder, self.asked, self.breaks, self.flips = folder, [], "", None
        index = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args):
                """Say nothing."""

            def do_GET(self):
                name = self.path.strip("/").split("/")[-1]  # of a package as PEP 503 writes it, or of a file
                kept = [path.name for path in folder.iterdir()]
                if self.path.startswith("/simple/"):
                    own = [one for one in kept if one.startswith(f"{name.replace('-', '_')}-")]
                    links = [f'<a href="/files/{one}">{one}</a>' for one in own]
                    self.answer("text/html", "".join(links).encode()) if links else self.send_error(404)
                else:
                    index.asked.append(name)
                    body = (folder / name).read_bytes()
                    body = body if index.flips is None else flipped(body, index.flips)
                    self.answer("application/octet-stream", body, index.breaks == name)

            def answer(self, kind, body, breaks=False):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) // 2] if breaks else body)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/simple"


def wheel(folder, name, file, content):
    """A wheel that pip takes: one file of data, metadata, and the record of both. Its SHA-256."""
    info = f"{name}-1.0.dist-info"
    files = {
        file: content,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"]).encode()
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for inner, data in files.items():
            archive.writestr(inner, data)
    return hashlib.sha256(path.read_bytes()).hexdigest()
