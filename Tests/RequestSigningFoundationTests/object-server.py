# SPDX-License-Identifier: Apache-2.0
"""A store with one object, for downloads that are interrupted: python3 object-server.py LOG OPTIONS

OPTIONS is a JSON object:
byteCount   the size of the object, whose bytes are random, of a fixed seed
cuts        the probability that a response to GET ends after a random part of its body
pause       seconds to wait after each 64 KiB of a body
replaced    the number of the first request that finds other bytes of the same size, or 0
checksum    whether HEAD has the CRC-32 of the whole object
seed        the seed of the cuts
The port goes to standard output. Every request is a line of JSON in the file LOG: its method, Range, status,
and the SHA-256 of the object. The server ends with its standard input.
"""
import base64
import hashlib
import http.server
import json
import os
import random
import re
import sys
import threading
import time
import zlib

log = open(sys.argv[1], "a", buffering=1)
options = json.loads(sys.argv[2])
size = options["byteCount"]
versions = [random.Random(seed).randbytes(size) for seed in ((1, 2) if options.get("replaced") else (1,))]
tags = [f'"{hashlib.md5(version).hexdigest()}"' for version in versions]
digests = [hashlib.sha256(version).hexdigest() for version in versions]
checksums = [base64.b64encode(zlib.crc32(version).to_bytes(4, "big")).decode() for version in versions]
chances = random.Random(options.get("seed", 0))
lock = threading.Lock()
count = 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.respond()

    def do_GET(self):
        self.respond()

    def respond(self):
        global count
        with lock:
            count += 1
            current = 1 if 0 < options.get("replaced", 0) <= count else 0
            cut = self.command == "GET" and chances.random() < options.get("cuts", 0)
        status, first, last = self.range(current)
        body = versions[current][first:last + 1] if status in (200, 206) else b""
        log.write(json.dumps({"method": self.command, "range": self.headers["Range"], "status": status,
                              "sha256": digests[current]}) + "\n")
        self.send_response(status)
        self.send_header("ETag", tags[current])
        self.send_header("Content-Length", str(len(body)))
        if status == 206:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        if options.get("checksum") and status == 200:
            self.send_header("x-amz-checksum-crc32", checksums[current])
            self.send_header("x-amz-checksum-type", "FULL_OBJECT")
        self.end_headers()
        if self.command == "GET":
            self.send(body[:chances.randrange(len(body))] if cut and body else body)
            self.close_connection = self.close_connection or cut

    def range(self, current):
        """The status, and the first and last byte of the body (RFC 9110, 13.1.1 and 14.2)."""
        if self.headers.get("If-Match", tags[current]) != tags[current]:
            return 412, 0, 0
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not found:
            return 200, 0, size - 1
        first, last = int(found[1]), min(int(found[2] or size - 1), size - 1)
        return (206, first, last) if first <= last else (416, 0, 0)

    def send(self, body):
        try:
            for start in range(0, len(body), 65536):
                self.wfile.write(body[start:start + 65536])
                time.sleep(options.get("pause", 0))
        except ConnectionError:
            self.close_connection = True


def end_with_input():
    sys.stdin.read()
    os._exit(0)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=end_with_input, daemon=True).start()
print(server.server_address[1], flush=True)
server.serve_forever()
