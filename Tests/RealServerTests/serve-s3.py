# SPDX-License-Identifier: Apache-2.0
"""OpenStack Swift with its S3 interface on the loopback device: python serve-s3.py FOLDER

All four servers of Swift run in this process on ports that the kernel chooses, with one replica in
FOLDER. When they answer, FOLDER/endpoint holds the URL. They run as long as the
process that started this one.
"""
import importlib.metadata
import os
import socket
import sys

import eventlet
import eventlet.wsgi
from eventlet.green import socket as green_socket

eventlet.monkey_patch(os=False)

from swift.common import storage_policy, utils, wsgi  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402

ACCESS_KEY_ID = ("project", "user")
SECRET_ACCESS_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
STORES = ["account", "container", "object"]

SWIFT = """
[swift-hash]
swift_hash_path_suffix = loopback
[storage-policy:0]
name = single
default = yes
"""

# A busy machine makes Swift slow, and nothing else: no listing lags behind, and no answer is 503.
PATIENCE = """
[DEFAULT]
conn_timeout = 60
node_timeout = 60
container_update_timeout = 60
"""

STORE = PATIENCE + """
devices = {folder}/devices
swift_dir = {folder}
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
[pipeline:main]
pipeline = {store}-server
[app:{store}-server]
use = egg:swift#{store}
"""

# s3api stands before the authentication, which asks it whether the signature is right.
PROXY = PATIENCE + """
swift_dir = {folder}
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
storage_domain = s3.test
min_segment_size = 1
max_upload_part_num = 20
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
"""


def main(folder):
    write(folder, "swift.conf", SWIFT)
    utils.set_swift_dir(folder)
    storage_policy.reload_storage_policies()
    for store in STORES:
        sock = listen()
        make_ring(folder, store, sock.getsockname()[1])
        start(write(folder, f"{store}.conf", STORE.format(folder=folder, store=store)), sock)
    account, user = ACCESS_KEY_ID
    sock = listen()
    start(
        write(folder, "proxy.conf", PROXY.format(
            folder=folder, account=account, user=user, secret=SECRET_ACCESS_KEY)),
        sock)
    # A connection that is answered shows that the servers run.
    endpoint = f"127.0.0.1:{sock.getsockname()[1]}"
    with green_socket.create_connection(sock.getsockname()) as connection:
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
        connection.recv(1)
    version = importlib.metadata.version("swift")
    print(f"OpenStack Swift {version} with s3api on {endpoint}", flush=True)
    write(folder, "endpoint.part", f"http://{endpoint}\n")
    os.rename(f"{folder}/endpoint.part", f"{folder}/endpoint")
    # Not longer than who started it: nothing stays behind, however that one ended.
    starter = os.getppid()
    while os.getppid() == starter:
        eventlet.sleep(1)


def listen():
    return eventlet.listen(("127.0.0.1", 0), socket.AF_INET)


def make_ring(folder, store, port):
    """One replica on one device: no fewer make a ring."""
    device = "single"
    os.makedirs(f"{folder}/devices/{device}", exist_ok=True)
    builder = RingBuilder(part_power=0, replicas=1, min_part_hours=0)
    builder.add_dev({
        "id": 0, "region": 1, "zone": 1, "weight": 1.0, "device": device, "ip": "127.0.0.1",
        "port": port, "replication_ip": "127.0.0.1", "replication_port": port})
    builder.rebalance(seed=1)
    builder.get_ring().save(f"{folder}/{store}.ring.gz")


def start(path, sock):
    """As swift.common.wsgi.run_server does, which however wants a process of its own."""
    app = wsgi.loadapp(path, global_conf={"log_name": "swift"})
    eventlet.spawn(
        eventlet.wsgi.server, sock, app, utils.NullLogger(), protocol=wsgi.SwiftHttpProtocol,
        capitalize_response_headers=False)


def write(folder, name, text):
    path = f"{folder}/{name}"
    with open(path, "w") as file:
        file.write(text)
    return path


main(os.path.abspath(sys.argv[1]))
