# SPDX-License-Identifier: Apache-2.0
# Prints post-policies.txt: forms for uploads, their policies and signatures.

import base64
import datetime
import json
import sys
import types

sys.dont_write_bytecode = True

import botocore.auth
import botocore.awsrequest
import botocore.credentials

from botocore_tables.signing import CREDENTIALS, print_field

DATE = "20240102T030405Z"
TOKEN = "FwoG/ZXIv+YXdz=="
DOLLAR = "\uE000"


def document(policy):
    """JSON as botocore writes it, with each '$' of a value escaped: the S3 API Reference, "POST
    Policy", wants it escaped, and \\u0024 is the only escape for it that JSON has."""
    return json.dumps(policy).replace("\\ue000", "\\u0024")


botocore.auth.json = types.SimpleNamespace(dumps=document)


def print_form(name, bucket, conditions, lifetime=3600, token=None, region="us-east-1",
               credentials=CREDENTIALS):
    """A condition is (name, value), (name, "starts-with", prefix), or a pair of numbers."""
    moment = datetime.datetime.strptime(DATE, "%Y%m%dT%H%M%SZ")
    botocore.auth.get_current_datetime = lambda *arguments: moment
    expiration = moment + datetime.timedelta(seconds=lifetime)
    request = botocore.awsrequest.AWSRequest("POST", f"https://{bucket}.s3.amazonaws.com/")
    fields = {}
    request.context["s3-presign-post-fields"] = fields
    request.context["s3-presign-post-policy"] = {
        "expiration": expiration.strftime(botocore.auth.ISO8601),
        "conditions": [{"bucket": bucket}] + [as_json(condition) for condition in conditions]}
    for condition in conditions:
        if isinstance(condition[0], str) and len(condition) == 2:
            fields[condition[0]] = condition[1]
    signer = botocore.auth.S3SigV4PostAuth(
        botocore.credentials.Credentials(*credentials, token), "s3", region)
    signer.add_auth(request)
    print()
    for field, value in [("name", name), ("bucket", bucket), ("region", region), ("date", DATE),
                         ("lifetime", lifetime)]:
        print_field(field, value)
    if token:
        print_field("token", token)
    for condition in conditions:
        kind = {str: ["value", "prefix"][len(condition) - 2], int: "length"}[type(condition[0])]
        print_field(kind, "=".join(str(part) for part in condition if part != "starts-with"))
    print_field("document", base64.b64decode(fields["policy"]))
    print_field("signature", fields["x-amz-signature"])
    for field, value in fields.items():
        print_field("field", f"{field}={value}")


def as_json(condition):
    if isinstance(condition[0], int):
        return ["content-length-range", *condition]
    field, value = condition[0], condition[-1]
    if len(condition) == 3:
        return ["starts-with", "$" + field, value.replace("$", DOLLAR)]
    # botocore does the same for a key that ends in the variable.
    if "${filename}" in value:
        return ["starts-with", "$" + field, value.split("${filename}")[0].replace("$", DOLLAR)]
    return {field: value.replace("$", DOLLAR)}


print("# Printed by post-policies.py, which uses botocore.auth.S3SigV4PostAuth.")
print("# value, prefix, length: the conditions in order of their kind. field: the form, in order.")
print_form("a key", "photos", [("key", "a.jpg")])
print_form("every kind of condition", "photos", [
    ("key", "uploads/${filename}"), ("acl", "private"), ("x-amz-meta-uuid", "14365123651274"),
    ("success_action_redirect", "https://example.com/done?a=1&b=2"),
    ("success_action_status", "201"), ("x-amz-server-side-encryption", "AES256"),
    ("x-amz-checksum-algorithm", "SHA256"),
    ("x-amz-checksum-sha256", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
    ("tagging", "<Tagging><TagSet/></Tagging>"), ("Cache-Control", "max-age=60"),
    ("Content-Type", "starts-with", "image/"), ("x-amz-meta-tag", "starts-with", ""),
    (1, 10485760)], lifetime=900)
print_form("temporary credentials", "photos", [("key", "u/${filename}"), ("acl", "private")],
           token=TOKEN, region="eu-west-1")
print_form("characters to be escaped", "photos", [
    ("key", "\u00E9t\u00E9 \"1\"\\2/\U0001F600.jpg"), ("x-amz-meta-price", "$5 ${file}"),
    ("x-amz-meta-html", "<a href='x'>&amp;</a>"), ("x-amz-meta-a", "starts-with", "\u2603$\u007E")])
print_form("the variable in other fields, and in the middle", "photos", [
    ("key", "a/${filename}.bak"), ("x-amz-meta-name", "${filename}"),
    ("success_action_redirect", "https://example.com/$/${filename}")])
print_form("seven days, no byte and 5 GiB", "photos",
           [("key", "starts-with", ""), (0, 5368709120)], lifetime=604800)
print_form("a second", "photos", [("key", "a")], lifetime=1)
