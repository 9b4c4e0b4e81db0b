# SPDX-License-Identifier: Apache-2.0
# Prints operation-links.txt: presigned URLs of UploadPart and CopyObject, by botocore's S3 client.

import sys

sys.dont_write_bytecode = True

import datetime
import urllib.parse

import botocore.auth
import botocore.config
import botocore.session

from botocore_tables.signing import CREDENTIALS, print_field

MOMENT = datetime.datetime(2024, 1, 2, 3, 4, 5)
botocore.auth.get_current_datetime = lambda *arguments: MOMENT
CLIENT = botocore.session.get_session().create_client(
    "s3", region_name="eu-west-1", aws_access_key_id=CREDENTIALS[0],
    aws_secret_access_key=CREDENTIALS[1],
    config=botocore.config.Config(
        signature_version="s3v4", s3={"addressing_style": "virtual"},
        request_checksum_calculation="when_required"))


def print_link(name, operation, fields, **parameters):
    url = CLIENT.generate_presigned_url(
        operation, {"Bucket": "photos", **parameters}, ExpiresIn=900)
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    print()
    for field, value in [("name", name), ("key", parameters["Key"]), *fields]:
        print_field(field, value)
    print_field("signed-headers", query["X-Amz-SignedHeaders"])
    print_field("signature", query["X-Amz-Signature"])
    print_field("url", url.partition("?")[0])


def print_part(name, key, number, upload_id, length):
    optional = {} if length is None else {"ContentLength": length}
    print_link(name, "upload_part",
               [("part", number), ("upload-id", upload_id),
                *([] if length is None else [("content-length", length)])],
               Key=key, PartNumber=number, UploadId=upload_id, **optional)


def print_copy(name, key, source, version, source_header):
    """botocore encodes the key in CopySource, but not the version."""
    suffix = source_header.partition("?")[2]
    plain = f"/photos/{source}" + (f"?{suffix}" if suffix else "")
    print_link(name, "copy_object",
               [("source", source), *([] if version is None else [("version", version)]),
                ("copy-source", source_header)],
               Key=key, CopySource=plain)


print("# Printed by operation-links.py, which uses botocore's S3 client. URLs of 2 January 2024, 03:04:05,")
print("# for 900 seconds, in the bucket photos in eu-west-1.")
print_part("part", "film.mov", 1, "VXBsb2FkIElE", 8_388_608)
print_part("part-of-any-length", "film.mov", 10_000, "VXBsb2FkIElE", None)
print_part("part-encoded", "é +1/film.mov", 3, "a/b+c==&d", 1)
print_copy("copy", "b.jpg", "a.jpg", None, "/photos/a.jpg")
print_copy("copy-encoded", "é b.jpg", "été +1.jpg", None, "/photos/%C3%A9t%C3%A9%20%2B1.jpg")
print_copy("copy-version", "b.jpg", "a.jpg", "v+1", "/photos/a.jpg?versionId=v%2B1")
