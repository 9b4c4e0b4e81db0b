# SPDX-License-Identifier: Apache-2.0
"""A store behind the proxies of check-resumed-uploads and check-resumed-downloads.

`--store URL` names it, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY have its keys. The proxies forward what the
programs sign, while botocore, which has to be installed, asks the store what is there. Its bucket `films` is made.
"""

import http.client
import os
import sys
import urllib.parse

BUCKET, KEY = "films", "film.mov"


def named_store():
  """The store in the arguments of the script, which lose it, or None. Without one, there are keys of our own."""
  if "--store" in sys.argv:
    at = sys.argv.index("--store")
    _, url = sys.argv[at:at + 2]
    del sys.argv[at:at + 2]
    return RealStore(url)
  os.environ |= {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
  return None


class RealStore:
  """Its objects and uploads, and what it answers to requests that others signed."""

  def __init__(self, url):
    import botocore.session  # pylint: disable=import-outside-toplevel
    from botocore.config import Config  # pylint: disable=import-outside-toplevel
    needed = {"request_checksum_calculation": "when_required", "response_checksum_validation": "when_required"}
    self.client = botocore.session.get_session().create_client(
      "s3", endpoint_url=url, region_name="us-east-1", config=Config(s3={"addressing_style": "path"}, **needed))
    self.place = urllib.parse.urlsplit(url)
    if BUCKET not in [bucket["Name"] for bucket in self.client.list_buckets()["Buckets"]]:
      self.client.create_bucket(Bucket=BUCKET)

  def put(self, content):
    """The entity tag of an object that replaces the one before."""
    return self.client.put_object(Bucket=BUCKET, Key=KEY, Body=content)["ETag"]

  def take(self):
    """The object, which is removed, or nothing."""
    try:
      content = self.client.get_object(Bucket=BUCKET, Key=KEY)["Body"].read()
    except self.client.exceptions.NoSuchKey:
      return b""
    self.client.delete_object(Bucket=BUCKET, Key=KEY)
    return content

  def take_uploads(self):
    """The unfinished uploads, which are aborted: the numbers of their parts by ID."""
    found = {}
    # MinIO lists none without a prefix.
    for upload in self.client.list_multipart_uploads(Bucket=BUCKET, Prefix=KEY).get("Uploads", []):
      name = {"Bucket": BUCKET, "Key": KEY, "UploadId": upload["UploadId"]}
      found[upload["UploadId"]] = [part["PartNumber"] for part in self.client.list_parts(**name).get("Parts", [])]
      self.client.abort_multipart_upload(**name)
    return found

  def connect(self):
    return http.client.HTTPConnection(self.place.hostname, self.place.port, timeout=120)

  def send(self, connection, method, target, headers, body):
    """Sends a request as it came, of which a body may be a part, since the signature is about its headers."""
    connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
    for name, value in headers:
      connection.putheader(name, value)
    connection.endheaders(body or None)

  def answer(self, method, target, headers, body):
    """The status, the headers and the body of a response."""
    connection = self.connect()
    try:
      self.send(connection, method, target, headers, body)
      response = connection.getresponse()
      content = response.read()
    finally:
      connection.close()
    framing = ["connection", "transfer-encoding", "keep-alive"] + ([] if method == "HEAD" else ["content-length"])
    kept = [(name, value) for name, value in response.getheaders() if name.lower() not in framing]
    return response.status, kept, content

  def cut(self, method, target, headers, body):
    """Sends a part of a body, and closes the connection."""
    connection = self.connect()
    self.send(connection, method, target, headers, body)
    connection.close()
