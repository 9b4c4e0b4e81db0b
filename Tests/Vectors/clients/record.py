#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints recorded-requests.txt: requests of real clients, as a server receives them.

The clients come from Debian (apt-get install rclone restic awscli s3cmd ruby-aws-sdk-s3 curl) and
from PyPI (pip install boto3 pyarrow minio obstore pycurl, into an environment of their own, whose
python3 runs this file). They talk to a store on the loopback device, with TLS and without.

A User-Agent that is not signed is left out, since it tells of the machine. Clients date their
requests by its clock, so no second run prints the same. Names of clients as arguments record only
these.
"""

import datetime
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/..")

from botocore_tables.signing import print_field
from clients import CLIENTS, Client
from server import Store, certificate


def signed_headers(request):
    _, _, target, headers, _ = request
    values = " ".join(value for name, value in headers if name.lower() == "authorization")
    return re.findall(r"SignedHeaders=([^,&\s]*)", values + target)


def kind(request):
    """What a policy looks at; of requests of one kind the first is kept."""
    _, method, target, headers, body = request
    names = {name.lower(): value for name, value in headers}
    signed = signed_headers(request)
    payload = names.get("x-amz-content-sha256", "")
    payload = "digest" if re.fullmatch("[0-9a-f]{64}", payload) else payload
    return method, "Signature=" in target, signed, payload, sorted(names), bool(body)


def record(name, version, scheme, request):
    seconds, method, target, headers, body = request
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    path = target.partition("?")[0]
    print_field("name", f"{name} {version.strip()}, {scheme}, {method} {path}")
    print_field("client", f"{name} {version.strip()}")
    print_field("scheme", scheme)
    print_field("time", moment.strftime("%Y%m%dT%H%M%SZ"))
    print_field("method", method)
    print_field("target", target)
    for header, value in headers:
        if header.lower() != "user-agent" or "user-agent" in " ".join(signed_headers(request)):
            print_field("header", f"{header}:{value}".encode("latin-1"))
    if body:
        print_field("body", body)
    print()


def main(names):
    print("# Printed by clients/record.py: requests of real clients, as they were received.\n")
    for name in names or CLIENTS:
        with tempfile.TemporaryDirectory() as folder:
            both, chain = certificate(folder)
            for store in [Store(both), Store()]:
                version = CLIENTS[name](Client(store, chain, folder))
                seen = []
                for request in store.received:
                    if kind(request) not in seen:
                        seen.append(kind(request))
                        record(name, version, store.scheme, request)
                store.shutdown()


main(sys.argv[1:])
