# SPDX-License-Identifier: Apache-2.0
# Prints bucket-requests.txt: what botocore makes of requests to buckets of several stores.

import sys

sys.dont_write_bytecode = True

import botocore.session
from botocore.auth import (S3ExpressAuth, S3ExpressQueryAuth, S3SigV4Auth, S3SigV4QueryAuth)

from botocore_tables.signing import Signing, print_field

DATE = "20240102T030405Z"
ACCOUNT = "0123456789abcdef0123456789abcdef"
R2 = f"https://{ACCOUNT}.r2.cloudflarestorage.com/photos"
ZONE = "https://b--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com"
CONTROL = "https://s3express-control.us-east-1.amazonaws.com/b--use1-az4--x-s3"
KEY = "%C3%A9t%C3%A9%20%2B1.jpg"
TOKEN = "FwoG/ZXIv+YXdz=="
MODEL = botocore.session.Session().get_service_model("s3")


def print_signing(name, auth_class, region, method, url, headers=(), service="s3", **options):
    if issubclass(auth_class, S3ExpressAuth) or auth_class is S3ExpressQueryAuth:
        options["identity_cache"] = None
    signing = Signing(auth_class, service, region, DATE, method, url, headers, **options)
    print()
    print_field("name", name)
    signing.print_steps()


def print_express(name, auth_class, method, url, headers=(), **options):
    print_signing(name, auth_class, "us-east-1", method, url, headers, "s3express", **options)


def print_operation(operation, method, url, headers=()):
    """An operation of S3 Express, with the credentials that botocore's model says."""
    parameters = MODEL.operation_model(operation).static_context_parameters
    settings = {parameter.name: parameter.value for parameter in parameters}
    is_ordinary = (settings.get("DisableS3ExpressSessionAuth")
                   or settings.get("UseS3ExpressControlEndpoint"))
    auth_class, token = (S3SigV4Auth, TOKEN) if is_ordinary else (S3ExpressAuth, "sess-token")
    print_express(f"S3 Express, {operation}", auth_class, method, url, headers, token=token)


print("# Printed by bucket-requests.py, which uses botocore.auth.")
print("# The requests themselves are written in Swift, in BucketRequestTests.swift.")
print_signing("R2, GET", S3SigV4Auth, "auto", "GET", f"{R2}/{KEY}")
print_signing("R2, presigned GET", S3SigV4QueryAuth, "auto", "GET", f"{R2}/{KEY}", expires=3600)
print_signing("R2, presigned PUT", S3SigV4QueryAuth, "auto", "PUT", f"{R2}/{KEY}",
              [("content-type", "image/jpeg")], expires=900)
print_signing("R2 in the EU, PUT", S3SigV4Auth, "auto", "PUT",
              R2.replace(".r2.", ".eu.r2.") + "/a.txt",
              [("content-type", "text/plain")], body=b"hello")
print_signing("R2, list", S3SigV4Auth, "auto", "GET",
              f"{R2}?list-type=2&prefix=2024%2F&delimiter=%2F&continuation-token=a%2Fb%2Bc%3D")
print_signing("MinIO, DELETE", S3SigV4Auth, "us-east-1", "DELETE",
              "http://127.0.0.1:9000/photos/a.jpg?versionId=1")
print_signing("MinIO, list of buckets", S3SigV4Auth, "us-east-1", "GET", "http://127.0.0.1:9000/")
print_signing("AWS accelerated, HEAD", S3SigV4Auth, "eu-west-1", "HEAD",
              "https://photos.s3-accelerate.amazonaws.com/a//b/../c", token=TOKEN)
print_signing("AWS with dots, GET", S3SigV4Auth, "eu-west-1", "GET",
              "https://s3.dualstack.eu-west-1.amazonaws.com/www.example.com//index.html")
print_express("S3 Express, CreateSession", S3SigV4Auth, "GET", f"{ZONE}/?session",
              [("x-amz-create-session-mode", "ReadOnly")], token=TOKEN)
# S3, User Guide, "Authenticating and authorizing requests": HeadBucket takes ordinary credentials, for
# which botocore's model takes those of a session.
print_express("S3 Express, HEAD of the bucket", S3SigV4Auth, "HEAD", f"{ZONE}/", token=TOKEN)
print_express("S3 Express, GET", S3ExpressAuth, "GET", f"{ZONE}/k", token="sess-token")
print_express("S3 Express, presigned GET", S3ExpressQueryAuth, "GET", f"{ZONE}/k", token="sess/t+==",
              expires=300)
print_express("S3 Express, DELETE of the bucket", S3SigV4Auth, "DELETE", CONTROL, token=TOKEN)
COPY_SOURCE = [("x-amz-copy-source", "b--use1-az4--x-s3/a")]
print_operation("CopyObject", "PUT", f"{ZONE}/k", COPY_SOURCE)
print_operation("UploadPartCopy", "PUT", f"{ZONE}/k?partNumber=1&uploadId=i", COPY_SOURCE)
print_operation("ListDirectoryBuckets", "GET", CONTROL.rpartition("/")[0] + "/")
print_operation("CreateBucket", "PUT", CONTROL)
print_operation("GetBucketPolicy", "GET", CONTROL + "?policy")
print_operation("PutObject", "PUT", f"{ZONE}/k")
print_operation("UploadPart", "PUT", f"{ZONE}/k?partNumber=1&uploadId=i")
print_operation("HeadObject", "HEAD", f"{ZONE}/k")
print_operation("DeleteObjects", "POST", f"{ZONE}/?delete")
print_operation("ListObjectsV2", "GET", f"{ZONE}/?list-type=2")
