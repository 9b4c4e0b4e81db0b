# SPDX-License-Identifier: Apache-2.0
"""Services near by, as containers and instances have them, on loopback: python3 near-server.py

Its port, at 127.0.0.1 and ::1, goes to standard output, and behind it that of a black hole: connections
to it are neither taken nor refused. It ends with its standard input.

/do/STEPS does what is asked for, one step after another: STEPS is hexadecimal, of JSON, a list of
  ["send", "text"]             sends a text
  ["repeat", "text", 100]      sends a text so many times
  ["trickle", "text", 0.01]    sends a text byte by byte, with a pause after each
  ["wait", 60]                 waits
  ["gather", 40]               waits until so many requests have come to this step
  ["echo"]                     sends an answer whose body is the request as it came
  ["reset"]                    ends the connection without its usual end (RFC 9293, 3.5.2)
/container gives credentials to requests with the right token, and /latest plays version 2 of an
instance's metadata service. All end their connections afterwards.

/sign-in/NAME/COUNT/SECONDS plays AWS Sign-In (/v1/token) and IAM Identity Center (/token,
/federation/credentials) for the sign-in NAME, whose refresh token is good once. COUNT requests with the
first token are gathered, all but one of them are refused at once, and the one is answered after SECONDS.
The first tokens are NAME-0, the next ones NAME-1 and so on.
"""
import base64
import json
import socket
import struct
import sys
import threading
import time


BARRIERS = {}
SIGN_INS = {}
LOCK = threading.Lock()


def main():
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    port = listener.getsockname()[1]
    listeners = [listener]
    try:
        listeners.append(socket.create_server(("::1", port), family=socket.AF_INET6, backlog=128))
    except OSError:
        pass  # a machine without IPv6
    # Linux takes one connection more than the backlog, and drops what comes after it.
    hole = socket.create_server(("127.0.0.1", 0), backlog=0)
    kept = [socket.socket() for _ in range(4)]
    for connection in kept:
        connection.setblocking(False)
        connection.connect_ex(hole.getsockname())
    for each in listeners:
        threading.Thread(target=serve, args=(each,), daemon=True).start()
    print(f"{port} {hole.getsockname()[1]}", flush=True)
    sys.stdin.read()


def serve(listener):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=answer, args=(connection,), daemon=True).start()


def answer(connection):
    try:
        with connection:
            request = receive(connection)
            if request:
                respond(connection, request)
    except OSError:
        pass  # clients that give up are a part of the tests


def receive(connection):
    """A request with its body."""
    data = b""
    while b"\r\n\r\n" not in data:
        portion = connection.recv(65_536)
        if not portion:
            return None
        data += portion
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(fields(data).get("content-length", 0))
    while len(body) < length:
        body += connection.recv(65_536)
    return head + b"\r\n\r\n" + body


def fields(request):
    lines = request.partition(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


def respond(connection, request):
    method, target, _ = request.split(b"\r\n")[0].decode().split(" ")
    if target.startswith("/do/"):
        for step in json.loads(bytes.fromhex(target[4:].partition("?")[0])):
            do(connection, request, *step)
        return
    if target.startswith("/sign-in/"):
        status, body = sign_in(target, fields(request), request.partition(b"\r\n\r\n")[2])
    else:
        status, body = service(method, target, fields(request))
    send_answer(connection, status, body)


def send_answer(connection, status, body):
    head = f"HTTP/1.1 {status} Status\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    connection.sendall(head.encode() + body)


def do(connection, request, step, *arguments):
    if step == "send":
        connection.sendall(arguments[0].encode())
    elif step == "repeat":
        for _ in range(arguments[1]):
            connection.sendall(arguments[0].encode())
    elif step == "trickle":
        for byte in arguments[0].encode():
            connection.sendall(bytes([byte]))
            time.sleep(arguments[1])
    elif step == "wait":
        time.sleep(arguments[0])
    elif step == "gather":
        BARRIERS.setdefault(arguments[0], threading.Barrier(arguments[0])).wait(500)
    elif step == "echo":
        send_answer(connection, 200, request)
    elif step == "reset":
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()


def service(method, target, headers):
    # Amazon ECS Developer Guide, "Amazon ECS task IAM role".
    if target == "/container":
        if headers.get("authorization") != "container token":
            return 403, b'{"code": "AccessDenied"}'
        return 200, credentials("ASIACONTAINER")
    # Amazon EC2 User Guide, "Use the Instance Metadata Service to access instance metadata".
    if (method, target) == ("PUT", "/latest/api/token"):
        if not headers.get("x-aws-ec2-metadata-token-ttl-seconds", "").isdigit():
            return 400, b""
        return 200, b"session=="
    if headers.get("x-aws-ec2-metadata-token") != "session==":
        return 401, b""
    roles = "/latest/meta-data/iam/security-credentials/"
    answers = {
        roles: b"my-role", roles + "my-role": credentials("ASIAINSTANCE"),
        "/latest/meta-data/placement/region": b"eu-central-2",
    }
    return (200, answers[target]) if target in answers else (404, b"")


def sign_in(target, headers, body):
    _, _, name, count, seconds, path = target.partition("?")[0].split("/", 5)
    # IAM Identity Center Portal API Reference, GetRoleCredentials.
    if path == "federation/credentials":
        if headers.get("x-amz-sso_bearer_token") != f"{name}-{SIGN_INS[name]}":
            return 401, b'{"message": "Session token not found or invalid"}'
        return 200, json.dumps({"roleCredentials": parts(name) | {
            "expiration": int(time.time() + 21_600) * 1000}}).encode()
    token = json.loads(body)["refreshToken"]
    if token == f"{name}-0":
        BARRIERS.setdefault(name, threading.Barrier(int(count))).wait(500)
    with LOCK:
        is_good = token == f"{name}-{SIGN_INS.setdefault(name, 0)}"
        SIGN_INS[name] += is_good
    # AWS Sign-In API Reference, CreateOAuth2Token; IAM Identity Center OIDC API Reference, CreateToken.
    if not is_good:
        return 400, b'{"error": "invalid_grant"}' if path == "token" else b'{"error": "TOKEN_EXPIRED"}'
    time.sleep(float(seconds))
    newer = f"{name}-{SIGN_INS[name]}"
    return 200, json.dumps({
        "accessToken": newer if path == "token" else parts(name), "expiresIn": 900,
        "refreshToken": newer}).encode()


def parts(name):
    return {"accessKeyId": f"ASIA{name}{SIGN_INS[name]}", "secretAccessKey": "new/secret",
            "sessionToken": "new-token=="}


def credentials(key):
    secret = base64.b64encode(key.encode()).decode()
    end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 21_600))
    return json.dumps({
        "Code": "Success", "AccessKeyId": key, "SecretAccessKey": secret, "Token": "token==",
        "Expiration": end}).encode()


main()
