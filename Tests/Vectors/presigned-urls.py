# SPDX-License-Identifier: Apache-2.0
# Prints presigned-urls.txt: tokens and presigned URLs of the services that have a use for them.

import sys

sys.dont_write_bytecode = True

import botocore.auth

from botocore_tables.signing import Signing, print_field

REGION = "us-east-1"
DATE = "20240102T030405Z"
TOKEN = "FwoG/ZXIv+YXdz=="


class MQTTQueryAuth(botocore.auth.SigV4QueryAuth):
    """AWS IoT, "Device communication protocols", MQTT over WebSocket: neither a life nor a token
    is signed; the token follows the signature. botocore has no such class."""

    def _modify_request_before_signing(self, request):
        headers = self.signed_headers(self.headers_to_sign(request))
        request.url += "?" + botocore.auth.percent_encode_sequence({
            "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
            "X-Amz-Credential": self.scope(request),
            "X-Amz-Date": request.context["timestamp"],
            "X-Amz-SignedHeaders": headers})

    def _inject_signature_to_request(self, request, signature):
        token = botocore.auth.percent_encode_sequence(
            {"X-Amz-Security-Token": self.credentials.token})
        request.url += f"&X-Amz-Signature={signature}&{token}"


def print_vector(name, service, method, wire_url, inputs, auth_class=None, headers=(),
                 lifetime=None, token=None, region=REGION):
    options = {} if lifetime is None else {"expires": lifetime}
    auth_class = auth_class or botocore.auth.SigV4QueryAuth
    if issubclass(auth_class, botocore.auth.S3ExpressAuth):
        options["identity_cache"] = None
    signing = Signing(auth_class, service, region, DATE, method, wire_url, headers, token=token,
                      **options)
    print()
    for field, value in [("name", name), ("region", region), ("service", service),
                         ("date", DATE), ("method", method), *inputs]:
        print_field(field, value)
    for header in headers:
        print_field("header", ":".join(header))
        if lifetime is not None:
            print_field("required-header", ":".join(header))
    if token is not None:
        print_field("token", token)
    if lifetime is not None:
        print_field("lifetime", lifetime)
    signing.print_steps()


def print_token(name, service, url, lifetime=900, token=None, headers=()):
    print_vector(name, service, "GET", url, [("url", url)], headers=headers, lifetime=lifetime,
                 token=token)


def print_object_url(name, method, key, wire_key, parameters=(), wire_query="", headers=(),
                     token=None):
    host = "b.s3.us-east-1.amazonaws.com"
    print_vector(name, "s3", method, f"https://{host}/{wire_key}{wire_query}",
                 [("host", host), ("key", key), *(("parameter", pair) for pair in parameters)],
                 botocore.auth.S3SigV4QueryAuth, headers, 3600, token)


print("# Printed by presigned-urls.py, which uses botocore.auth. Fields: see published-vectors.txt.")
print("# parameter: a query parameter as plain text. required-header: what the URL's holder must send.")
RDS = "https://db.123.us-east-1.rds.amazonaws.com:5432/?Action=connect&DBUser=iam_user"
print_token("rds", "rds-db", RDS)
print_token("rds-session-token", "rds-db", RDS, token=TOKEN)
print_token("dsql-admin", "dsql", "https://abc.dsql.us-east-1.on.aws/?Action=DbConnectAdmin")
print_token("elasticache", "elasticache", "https://my-cache/?Action=connect&User=iam-user-01")
print_token("elasticache-serverless", "elasticache",
            "https://my-cache/?Action=connect&User=iam-user-01&ResourceType=ServerlessCache")
print_token("memorydb", "memorydb", "https://my-cluster/?Action=connect&User=iam-user-01")
print_token("eks", "sts",
            "https://sts.us-east-1.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15",
            lifetime=60, headers=[("x-k8s-aws-id", "my-cluster")])
print_token("msk", "kafka-cluster",
            "https://kafka.us-east-1.amazonaws.com/?Action=kafka-cluster%3AConnect")
print_object_url("s3-presign-get", "GET", "photos/a b+c/\u2603.jpg",
                 "photos/a%20b%2Bc/%E2%98%83.jpg")
print_object_url("s3-presign-get-token-overrides", "GET", "k", "k",
                 ['response-content-disposition=attachment; filename="a b.txt"', "versionId=1"],
                 "?response-content-disposition=attachment%3B%20filename%3D%22a%20b.txt%22"
                 "&versionId=1", token="a/b+c==")
print_object_url("s3-presign-put-headers", "PUT", "k", "k",
                 headers=[("content-type", "image/jpeg"), ("x-amz-acl", "private"),
                          ("x-amz-meta-a", "1")])
R2 = "https://acct.r2.cloudflarestorage.com/bucket/photos/vacation.jpg"
print_vector("r2-presign-get-auto", "s3", "GET", R2, [("url", R2)],
             botocore.auth.S3SigV4QueryAuth, lifetime=3600, region="auto")
MQTT = "wss://abc-ats.iot.us-east-1.amazonaws.com/mqtt"
print_vector("iot-mqtt", "iotdevicegateway", "GET", MQTT, [("url", MQTT)], MQTTQueryAuth,
             token=TOKEN)
EXPRESS = "b--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com"
print_vector("s3express-header", "s3express", "GET", f"https://{EXPRESS}/k",
             [("host", EXPRESS), ("key", "k")], botocore.auth.S3ExpressAuth, token="sess-token")
