# SPDX-License-Identifier: Apache-2.0
# Clients of S3 as their documentation shows them, with their defaults: each lists, uploads a small
# object, uploads another in parts where it does that on its own, reads, presigns and deletes.

import os
import subprocess
import sys
import urllib.request

KEY_ID, SECRET = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
TEXT = b"hello, world\n"


class Client:
    """What a client is given: the store, its certificate, a folder, and a file to upload."""

    def __init__(self, store, chain, folder):
        self.store, self.chain, self.folder = store, chain, folder
        self.file = f"{folder}/hello.txt"
        with open(self.file, "wb") as file:
            file.write(TEXT)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": folder, "AWS_ACCESS_KEY_ID": KEY_ID,
            "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_REGION": "us-east-1", "AWS_CA_BUNDLE": chain, "SSL_CERT_FILE": chain,
            "AWS_EC2_METADATA_DISABLED": "true", "PYTHONDONTWRITEBYTECODE": "1"}

    @property
    def is_tls(self):
        return self.store.scheme == "https"

    def run(self, *command, **variables):
        done = subprocess.run(command, cwd=self.folder, env={**self.environment, **variables},
                              text=True, capture_output=True, check=False, timeout=120)
        if done.returncode != 0:
            sys.exit(f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def python(self, program):
        return self.run(sys.executable, "-c", program, self.store.url, self.chain, self.file)

    def put(self, url):
        """Puts the file to a presigned URL, as a page in a browser does."""
        request = urllib.request.Request(url, TEXT, {"Content-Type": "text/plain"}, method="PUT")
        import ssl
        context = ssl.create_default_context(cafile=self.chain) if self.is_tls else None
        urllib.request.urlopen(request, context=context).read()


def boto3(client):
    urls = client.python("""
import boto3, sys
from boto3.s3.transfer import TransferConfig
s3 = boto3.client("s3", endpoint_url=sys.argv[1])
s3.list_objects_v2(Bucket="examples")
s3.put_object(Bucket="examples", Key="a b.txt", Body=b"hello", ContentType="text/plain")
s3.upload_file(sys.argv[3], "examples", "c.txt")
config = TransferConfig(multipart_threshold=5, multipart_chunksize=5 * 1024 * 1024)
s3.upload_file(sys.argv[3], "examples", "d.txt", Config=config)
s3.get_object(Bucket="examples", Key="c.txt")["Body"].read()
s3.copy_object(Bucket="examples", Key="e.txt", CopySource="examples/c.txt")
s3.delete_objects(Bucket="examples", Delete={"Objects": [{"Key": "c.txt"}]})
s3.delete_object(Bucket="examples", Key="d.txt")
from botocore.config import Config
s3 = boto3.client("s3", endpoint_url=sys.argv[1], config=Config(signature_version="s3v4"))
print(s3.generate_presigned_url("get_object", {"Bucket": "examples", "Key": "a b.txt"}))
print(s3.generate_presigned_url("put_object", {"Bucket": "examples", "Key": "f.txt"}))
""").split()
    client.run("curl", "--silent", "--fail", "--cacert", client.chain, urls[0])
    client.put(urls[1])
    return client.python("import boto3; print(boto3.__version__)")


def aws_cli(client):
    aws = ["/usr/bin/aws", "--endpoint-url", client.store.url]
    client.run(*aws, "s3", "ls", "s3://examples/")
    client.run(*aws, "s3", "cp", client.file, "s3://examples/c.txt")
    client.run(*aws, "s3", "cp", "s3://examples/c.txt", "read.txt")
    client.run(*aws, "s3api", "put-object", "--bucket", "examples", "--key", "a b.txt", "--body",
               client.file)
    client.run(*aws, "s3", "rm", "s3://examples/c.txt")
    return client.run("/usr/bin/aws", "--version").split("/")[1].split()[0]


def rclone(client):
    remote = [f":s3,provider=Other,env_auth,region=us-east-1,endpoint='{client.store.url}':examples",
              "--ca-cert", client.chain]
    client.environment["AWS_CA_BUNDLE"] = ""  # which rclone does not take
    client.run("rclone", "copy", client.file, *remote)
    client.run("rclone", "--s3-upload-cutoff", "0", "copyto", client.file,
               remote[0] + "/parts.txt", *remote[1:])
    client.run("rclone", "ls", *remote)
    client.run("rclone", "cat", remote[0] + "/hello.txt", *remote[1:])
    client.run("rclone", "deletefile", remote[0] + "/hello.txt", *remote[1:])
    return client.run("rclone", "version").split()[1].lstrip("v").split("-")[0]


def restic(client):
    restic = ["restic", "--no-cache", "--cacert", client.chain, "--repo",
              f"s3:{client.store.url}/examples/restic"]
    for command in [["init"], ["backup", client.file], ["snapshots"], ["check"]]:
        client.run(*restic, *command, RESTIC_PASSWORD="example")
    return client.run("restic", "version").split()[1]


def pyarrow(client):
    return client.python("""
import pyarrow, sys
from pyarrow import fs
pyarrow.fs.initialize_s3(pyarrow.fs.S3LogLevel.Off)
scheme, _, authority = sys.argv[1].partition("://")
more = {"tls_ca_file_path": sys.argv[2]} if scheme == "https" else {}
s3 = fs.S3FileSystem(region="us-east-1", scheme=scheme, endpoint_override=authority, **more)
with s3.open_output_stream("examples/c.txt") as file: file.write(b"hello")
with s3.open_input_stream("examples/c.txt") as file: file.read()
s3.get_file_info(fs.FileSelector("examples", recursive=True))
s3.copy_file("examples/c.txt", "examples/d.txt")
s3.delete_file("examples/c.txt")
print(pyarrow.__version__)
""")


def minio_py(client):
    urls = client.python("""
import minio, os, sys, urllib3
scheme, _, authority = sys.argv[1].partition("://")
s3 = minio.Minio(authority, access_key=os.environ["AWS_ACCESS_KEY_ID"],
                 secret_key=os.environ["AWS_SECRET_ACCESS_KEY"], secure=scheme == "https",
                 http_client=urllib3.PoolManager(ca_certs=sys.argv[2]))
s3.fput_object("examples", "c.txt", sys.argv[3])
s3.get_object("examples", "c.txt").read()
list(s3.list_objects("examples"))
s3.remove_object("examples", "c.txt")
print(s3.presigned_put_object("examples", "f.txt"))
print(minio.__version__)
""").split()
    client.put(urls[0])
    return urls[1]


def obstore(client):
    return client.python("""
import obstore, sys
from obstore.store import S3Store
s3 = S3Store("examples", endpoint=sys.argv[1], region="us-east-1",
             client_options={"allow_http": True, "allow_invalid_certificates": True})
obstore.put(s3, "c.txt", b"hello", use_multipart=False)
obstore.put(s3, "d.txt", b"hello", use_multipart=True)
obstore.get(s3, "c.txt").bytes()
s3.list().collect()
obstore.delete(s3, "c.txt")
print(obstore.__version__)
""")


def s3cmd(client):
    s3cmd = ["s3cmd", "--config", "/dev/null", "--ca-certs", client.chain,
             "--host", client.store.authority, "--host-bucket", client.store.authority,
             "--ssl" if client.is_tls else "--no-ssl"]
    client.run(*s3cmd, "put", client.file, "s3://examples/c.txt")
    client.run(*s3cmd, "get", "--force", "s3://examples/c.txt", "read.txt")
    client.run(*s3cmd, "ls", "s3://examples/")
    client.run(*s3cmd, "del", "s3://examples/c.txt")
    return client.run("s3cmd", "--version").split()[-1]


def ruby(client):
    printed = client.run("ruby", "-e", """
require "aws-sdk-s3"
s3 = Aws::S3::Client.new(endpoint: ARGV[0], force_path_style: true, ssl_ca_bundle: ARGV[1])
s3.list_objects_v2(bucket: "examples")
s3.put_object(bucket: "examples", key: "a b.txt", body: "hello")
Aws::S3::Object.new("examples", "c.txt", client: s3).upload_file(ARGV[2])
s3.get_object(bucket: "examples", key: "c.txt").body.read
s3.delete_object(bucket: "examples", key: "c.txt")
puts Aws::S3::Object.new("examples", "f.txt", client: s3).presigned_url(:put)
puts Aws::S3::GEM_VERSION
""", client.store.url, client.chain, client.file).split()
    client.put(printed[0])
    return printed[1]


def curl(client):
    curl = ["curl", "--silent", "--fail", "--cacert", client.chain, "--user",
            f"{KEY_ID}:{SECRET}", "--aws-sigv4", "aws:amz:us-east-1:s3"]
    version = client.run("curl", "--version").split()[1]
    url = client.store.url + "/examples"
    client.run(*curl, url + "?list-type=2")
    client.run(*curl, "--upload-file", client.file, url + "/c.txt")
    client.run(*curl, "--request", "PUT", "--data-binary", "hello", url + "/d.txt")
    client.run(*curl, url + "/c.txt")
    client.run(*curl, "--request", "DELETE", url + "/c.txt")
    return version


def libcurl(client):
    return client.python("""
import io, os, pycurl, sys
user = os.environ["AWS_ACCESS_KEY_ID"] + ":" + os.environ["AWS_SECRET_ACCESS_KEY"]
def send(name, *options):
    handle = pycurl.Curl()
    for option, value in [(pycurl.URL, sys.argv[1] + "/examples" + name), (pycurl.USERPWD, user),
                          (pycurl.CAINFO, sys.argv[2]), (pycurl.AWS_SIGV4, "aws:amz:us-east-1:s3"),
                          (pycurl.WRITEDATA, io.BytesIO()), *options]:
        handle.setopt(option, value)
    handle.perform()
send("?list-type=2")
send("/c.txt", (pycurl.UPLOAD, 1), (pycurl.READDATA, open(sys.argv[3], "rb")),
     (pycurl.INFILESIZE, os.path.getsize(sys.argv[3])))
send("/d.txt", (pycurl.CUSTOMREQUEST, "PUT"), (pycurl.POSTFIELDS, "hello"))
send("/c.txt")
send("/c.txt", (pycurl.CUSTOMREQUEST, "DELETE"))
print(pycurl.version_info()[1])
""")


CLIENTS = {"boto3": boto3, "aws-cli": aws_cli, "rclone": rclone, "restic": restic,
           "pyarrow": pyarrow, "minio-py": minio_py, "obstore": obstore, "s3cmd": s3cmd,
           "aws-sdk-ruby": ruby, "curl --aws-sigv4": curl,
           "libcurl with AWS_SIGV4": libcurl}
