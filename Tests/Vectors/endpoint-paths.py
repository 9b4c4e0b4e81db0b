# SPDX-License-Identifier: Apache-2.0
# Prints endpoint-paths.txt: URLs that botocore's client presigns at an endpoint that has a path.

import datetime
import sys

sys.dont_write_bytecode = True

import botocore.auth
import botocore.config
import botocore.handlers
import botocore.session
import botocore.signers

from botocore_tables.signing import CREDENTIALS, print_field

MOMENT = datetime.datetime(2024, 1, 2, 3, 4, 5)
REGION = "eu-central-1"
ENDPOINTS = [
    "https://ref.storage.supabase.co/storage/v1/s3", "https://ref.storage.supabase.co/storage/v1/s3/",
    "http://127.0.0.1:9000/s3", "https://gateway.example.com:8443/~user/v1.0",
    "https://gateway.example.com/"]
# With a bucket in the path botocore encodes such a path a second time.
ENCODED = "https://gateway.example.com/%C3%A9"
KEYS = ["photos/\u00e9t\u00e9 +1.jpg", "a//b", "/k"]
OBJECT = {"Bucket": "photos", "Key": KEYS[0]}
PART = {**OBJECT, "UploadId": "id/1+"}
REQUESTS = [
    ("list_buckets", {}), ("list_objects_v2", {"Bucket": "photos", "Prefix": "a b/"}),
    ("head_bucket", {"Bucket": "photos"}), ("put_object", OBJECT), ("head_object", OBJECT),
    ("delete_object", OBJECT), ("create_multipart_upload", OBJECT),
    ("upload_part", {**PART, "PartNumber": 2}), ("complete_multipart_upload", PART),
    ("abort_multipart_upload", PART),
] + [("get_object", {"Bucket": "photos", "Key": key}) for key in KEYS]


def client(endpoint, style):
    # Not told here: which checksums botocore would add, and that keys come encoded in lists.
    session = botocore.session.Session()
    session.unregister(
        "before-parameter-build.s3.ListObjectsV2",
        botocore.handlers.set_list_objects_encoding_type_url)
    return session.create_client(
        "s3", REGION, endpoint_url=endpoint, aws_access_key_id=CREDENTIALS[0],
        aws_secret_access_key=CREDENTIALS[1], config=botocore.config.Config(
            signature_version="s3v4", s3={"addressing_style": style},
            request_checksum_calculation="when_required"))


def print_endpoint(endpoint, style):
    s3 = client(endpoint, style)
    print()
    print_field("name", f"{endpoint}, {style}")
    print_field("endpoint", endpoint)
    print_field("region", REGION)
    print_field("addressing", "virtual-hosted" if style == "virtual" else style)
    for operation, parameters in REQUESTS:
        url = s3.generate_presigned_url(operation, parameters, ExpiresIn=900)
        print_field(f"{operation} {KEYS.index(parameters['Key'])}" if operation == "get_object"
                    else operation, url)
    print_field("form", s3.generate_presigned_post("photos", "k")["url"])


botocore.auth.get_current_datetime = lambda *arguments: MOMENT
botocore.signers.get_current_datetime = lambda *arguments: MOMENT
print("# Printed by endpoint-paths.py, which asks botocore's client: URLs that are good for 900 seconds")
print("# from 20240102T030405Z on, and where a form is posted to.")
for endpoint in ENDPOINTS:
    print_endpoint(endpoint, "path")
    if "127.0.0.1" not in endpoint:
        print_endpoint(endpoint, "virtual")
print_endpoint(ENCODED, "virtual")
