# SPDX-License-Identifier: Apache-2.0
"""An HTTP server on the loopback device that answers as it is told: python3 loopback-server.py LOG ANSWERS

ANSWERS is a JSON list: the first request gets the first answer, and so on; the last one is given again.
The port goes to standard output. Every request is a line of JSON in the file LOG, with its target
and headers as they came. The server ends with its standard input.
"""
import gzip
import hashlib
import hmac
import itertools
import json
import os
import random
import socket
import struct
import sys
import threading
import time

log = open(sys.argv[1], "a", buffering=1)
answers = json.loads(sys.argv[2])
lock = threading.Lock()
count = 0
# The connections whose request has arrived, and whose response hasn't begun.
busy = set()


def next_answer():
    global count
    with lock:
        count += 1
        return answers[min(count, len(answers)) - 1]


def main():
    server = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(server.getsockname()[1], flush=True)
    threading.Thread(target=end_with_input, daemon=True).start()
    for number in itertools.count():
        connection, _ = server.accept()
        threading.Thread(target=serve, args=(connection, number), daemon=True).start()


def end_with_input():
    sys.stdin.read()
    os._exit(0)


def serve(connection, number):
    stream = connection.makefile("rb")
    kept = None
    try:
        while how := answer(connection, stream, number, kept):
            kept = how.get("kept")
    except (ConnectionError, ValueError):
        pass
    finally:
        with lock:
            busy.discard(number)
        connection.close()


def answer(connection, stream, number, kept):
    """Answers one request. What it was answered, unless the connection ends."""
    line = stream.readline().decode("latin-1").rstrip("\r\n")
    if not line:
        return None
    with lock:
        busy.add(number)
        parallel_count = len(busy)
    headers = []
    while field := stream.readline().decode("latin-1").rstrip("\r\n"):
        name, _, value = field.partition(":")
        headers.append([name, value.strip()])
    named = {name.lower(): value for name, value in headers}
    if "expect" in named:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    how = next_answer()
    if fault := random.choice(how.get("faults") or [None]):
        named["content-length"] = random.randrange(int(named.get("content-length", 0)) + 1)
    body = Body(stream, named, how.get("slowness", 0))
    body.read()
    method, target, _ = line.split(" ")
    log.write(json.dumps({
        "connection": number, "parallelCount": parallel_count,
        "isSignatureRight": is_signature_right(method, target, headers),
        "method": method, "target": target, "headers": headers, "byteCount": body.byte_count,
        "sha256": body.digest.hexdigest(), "isWhole": body.is_whole,
        "chunkCount": body.chunk_count, "start": body.start.decode("latin-1").strip("\0"),
        "trailers": body.trailers.decode("latin-1")}) + "\n")
    if kept == "mute":
        time.sleep(1000)
    if kept == "close":
        return None
    if fault:
        misbehave(connection, fault)
        return None
    if not body.is_whole:
        return None
    time.sleep(how.get("wait", 0))
    if raw := how.get("raw"):
        connection.sendall(raw.encode("latin-1"))
        return None
    others = [text for part, text in how.get("bodies", {}).items() if part in target]
    content = (others or [how.get("body", "")])[0].encode() or bytes(how.get("zeros", 0))
    if how.get("headers", {}).get("Content-Encoding") == "gzip":
        content = gzip.compress(content)
    head = f"HTTP/1.1 {how.get('status', 200)} Status\r\nContent-Length: {len(content)}\r\n"
    for name, value in how.get("headers", {}).items():
        head += f"{name}: {value}\r\n"
    with lock:
        busy.discard(number)
    connection.sendall(head.encode() + b"\r\n")
    if cuts := how.get("cuts"):
        connection.sendall(content[:random.randrange(len(content))])
        misbehave(connection, random.choice(cuts))
        return None
    if method != "HEAD":
        half = len(content) // 2
        connection.sendall(content[:half])
        time.sleep(how.get("pause", 0))
        while "gate" in how and not os.path.exists(how["gate"]):
            time.sleep(0.01)
        connection.sendall(content[half:])
    return how


def is_signature_right(method, target, headers):
    """Whether a request to S3 is signed as SigV4 says, with the secret "secret", in what arrived.

    Amazon S3, API Reference, "Signature Calculations for the Authorization Header". Path and query have
    to arrive in their canonical form.
    """
    named = {}
    for name, value in headers:
        named.setdefault(name.lower(), []).append(" ".join(value.split()))
    algorithm, _, fields = named.get("authorization", [""])[0].partition(" ")
    fields = dict(field.strip().split("=", 1) for field in fields.split(",") if "=" in field)
    names = fields.get("SignedHeaders", "").split(";")
    if algorithm != "AWS4-HMAC-SHA256" or not {"x-amz-content-sha256", *names} <= set(named):
        return False
    path, _, query = target.partition("?")
    pairs = [pair if "=" in pair else pair + "=" for pair in query.split("&") if pair]
    lines = [f"{name}:{','.join(named[name])}" for name in names]
    canonical = "\n".join([method, path, "&".join(sorted(pairs)), *lines, "",
                           fields["SignedHeaders"], named["x-amz-content-sha256"][0]])
    scope = fields["Credential"].split("/")[1:]
    string = "\n".join([algorithm, named["x-amz-date"][0], "/".join(scope),
                        hashlib.sha256(canonical.encode("latin-1")).hexdigest()])
    key = b"AWS4secret"
    for part in [*scope, string]:
        key = hmac.digest(key, part.encode("latin-1"), "sha256")
    return key.hex() == fields["Signature"]


def misbehave(connection, fault):
    """After a part of a body: resets, stalls for a while, answers early; or just closes."""
    if fault == "reset":
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif fault == "stall":
        time.sleep(random.random() / 4)
    elif fault == "early":
        connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")


class Body:
    """The bytes of a body; of one that is aws-chunked those inside of the chunks."""

    def __init__(self, stream, headers, slowness):
        self.stream = stream
        self.slowness = slowness
        self.left = int(headers.get("content-length", 0))
        self.is_chunked = headers.get("content-encoding", "").startswith("aws-chunked")
        self.is_signed = headers.get("x-amz-content-sha256", "").startswith("STREAMING-AWS4")
        self.is_streamed = headers.get("transfer-encoding", "") == "chunked"
        self.digest = hashlib.sha256()
        self.byte_count = 0
        self.chunk_count = 0
        self.is_whole = True
        # The first 1,000 bytes of the body, and the lines behind the last chunk.
        self.start = b""
        self.trailers = b""

    def read(self):
        if self.is_streamed:
            # RFC 9112, 7.1, without trailers.
            while self.is_whole and (size := int(self.stream.readline(), 16)):
                self.take(size)
                self.stream.readline()
            self.stream.readline()
        elif self.is_chunked:
            while self.is_whole and self.read_chunk():
                pass
            self.is_whole = self.is_whole and self.left == 0
        else:
            self.take(self.left)

    def read_chunk(self):
        line = self.stream.readline()
        self.left -= len(line)
        size, _, signature = line.rstrip(b"\r\n").partition(b";chunk-signature=")
        self.is_whole = line.endswith(b"\r\n") and len(signature) == (64 if self.is_signed else 0)
        size = int(size, 16) if self.is_whole else 0
        self.take(size)
        self.chunk_count += 1
        if size:
            self.left -= len(self.stream.read(2)) if self.is_whole else 0
        else:
            self.read_trailers()
        return size > 0

    def read_trailers(self):
        line = b""
        while self.is_whole and line != b"\r\n":
            line = self.stream.readline()
            self.is_whole = line.endswith(b"\r\n")
            self.trailers += line
            self.left -= len(line)

    def take(self, size):
        while size:
            part = self.stream.read1(min(size, 1 << 20))
            if not part:
                self.is_whole = False
                return
            time.sleep(self.slowness)
            self.digest.update(part)
            self.start += part[:1000 - len(self.start)]
            self.byte_count += len(part)
            size -= len(part)
            self.left -= len(part)


main()
