# SPDX-License-Identifier: Apache-2.0
# A store in memory that answers as S3 does, as far as clients look, and keeps what it received.

import hashlib
import http.server
import re
import ssl
import subprocess
import threading
import time
import urllib.parse

XMLNS = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'
MODIFIED = "Tue, 02 Jan 2024 03:04:05 GMT"


class Store(http.server.ThreadingHTTPServer):
    """Listens on the loopback device, with TLS when there is a certificate."""

    daemon_threads = True

    def __init__(self, certificate=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.scheme = "https" if certificate else "http"
        self.authority = f"127.0.0.1:{self.server_port}"
        self.url = f"{self.scheme}://{self.authority}"
        self.lock = threading.Lock()
        self.objects, self.parts, self.received = {}, {}, []
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A connection that a client gives up is no error."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            data = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                data += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return data
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self, status, body=b"", length=None, **headers):
        self.send_response(status)
        headers.setdefault("Content-Type", "application/xml")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def xml(self, name, inside):
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<{name} {XMLNS}>{inside}</{name}>'
        self.answer(200, text.encode())

    def missing(self, code):
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code></Error>'
        self.answer(404, text.encode())

    def handle_any(self):
        if self.headers.get("Expect", "").lower() == "100-continue":
            pass  # the base class has answered it
        body = self.body()
        with self.server.lock:
            self.server.received.append((int(time.time()), self.command, self.path,
                                         self.headers.items(), body))
            self.respond(decoded(self.headers, body))

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = handle_any

    def respond(self, body):
        parts = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        bucket, _, key = urllib.parse.unquote(parts.path).lstrip("/").partition("/")
        objects, pending = self.server.objects, self.server.parts
        if not bucket:
            return self.xml("ListAllMyBucketsResult", "<Owner><ID>1</ID></Owner><Buckets><Bucket>"
                            "<Name>examples</Name><CreationDate>2024-01-02T03:04:05.000Z"
                            "</CreationDate></Bucket></Buckets>")
        if not key:
            return self.respond_bucket(bucket, query, body)
        if self.command == "POST" and "uploads" in query:
            pending[key] = {}
            return self.xml("InitiateMultipartUploadResult", f"<Bucket>{bucket}</Bucket>"
                            f"<Key>{key}</Key><UploadId>upload-1</UploadId>")
        if self.command == "POST" and "uploadId" in query:
            objects[key] = b"".join(data for _, data in sorted(pending.pop(key, {}).items()))
            return self.xml("CompleteMultipartUploadResult", f"<Bucket>{bucket}</Bucket>"
                            f"<Key>{key}</Key><ETag>\"{tag(objects[key])}-1\"</ETag>")
        if self.command == "PUT" and "partNumber" in query:
            pending.setdefault(key, {})[int(query["partNumber"])] = body
            return self.answer(200, ETag=f'"{tag(body)}"')
        if self.command == "PUT" and "x-amz-copy-source" in self.headers:
            source = urllib.parse.unquote(self.headers["x-amz-copy-source"]).lstrip("/")
            objects[key] = objects.get(source.partition("/")[2], b"")
            return self.xml("CopyObjectResult", f"<ETag>\"{tag(objects[key])}\"</ETag>"
                            "<LastModified>2024-01-02T03:04:05.000Z</LastModified>")
        if self.command == "PUT":
            objects[key] = body
            return self.answer(200, ETag=f'"{tag(body)}"')
        if self.command == "DELETE":
            objects.pop(key, None)
            return self.answer(204)
        if key not in objects:
            return self.missing("NoSuchKey")
        data, status, headers = objects[key], 200, {}
        if wanted := re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "")):
            first, last = int(wanted[1]), int(wanted[2] or len(data) - 1)
            headers["Content_Range"] = f"bytes {first}-{min(last, len(data) - 1)}/{len(data)}"
            data, status = data[first:last + 1], 206
        self.answer(status, data, ETag=f'"{tag(objects[key])}"', Last_Modified=MODIFIED,
                    Content_Type="application/octet-stream", Accept_Ranges="bytes", **headers)

    def respond_bucket(self, bucket, query, body):
        if self.command == "POST" and "delete" in query:
            keys = [key.decode() for key in re.findall(rb"<Key>(.*?)</Key>", body)]
            for key in keys:
                self.server.objects.pop(key, None)
            deleted = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
            return self.xml("DeleteResult", deleted)
        if self.command in ("PUT", "HEAD"):
            return self.answer(200, x_amz_bucket_region="us-east-1")
        if "location" in query:
            return self.xml("LocationConstraint", "us-east-1")
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        entries, folders = "", set()
        for key, data in sorted(self.server.objects.items()):
            if not key.startswith(prefix):
                continue
            if delimiter and delimiter in key[len(prefix):]:
                folders.add(prefix + key[len(prefix):].split(delimiter)[0] + delimiter)
                continue
            entries += (f"<Contents><Key>{key}</Key><LastModified>2024-01-02T03:04:05.000Z"
                        f"</LastModified><ETag>\"{tag(data)}\"</ETag><Size>{len(data)}</Size>"
                        "<StorageClass>STANDARD</StorageClass></Contents>")
        for folder in sorted(folders):
            entries += f"<CommonPrefixes><Prefix>{folder}</Prefix></CommonPrefixes>"
        self.xml("ListBucketResult", f"<Name>{bucket}</Name><Prefix>{prefix}</Prefix><KeyCount>"
                 f"{entries.count('<Key>')}</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false"
                 f"</IsTruncated>{entries}")


def tag(data):
    return hashlib.md5(data).hexdigest()


def decoded(headers, body):
    """A body in chunks of S3, without them."""
    if not headers.get("x-amz-content-sha256", "").startswith("STREAMING-"):
        return body
    data, rest = b"", body
    while rest:
        line, _, rest = rest.partition(b"\r\n")
        size = int(line.split(b";")[0], 16)
        if size == 0:
            break
        data, rest = data + rest[:size], rest[size + 2:]
    return data


def certificate(folder):
    """A file with a key and a certificate of its own for 127.0.0.1."""
    key, chain = f"{folder}/key.pem", f"{folder}/certificate.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                    "-keyout", key, "-out", chain], check=True, stderr=subprocess.DEVNULL)
    both = f"{folder}/both.pem"
    with open(both, "w") as file:
        file.write(open(key).read() + open(chain).read())
    return both, chain
