# SPDX-License-Identifier: Apache-2.0
# Prints connection-tokens.txt: tokens and WebSocket URLs, each from the inputs that a user gives.

import base64
import sys
import urllib.parse

sys.dont_write_bytecode = True

import botocore.auth
import botocore.session

from botocore_tables.signing import CREDENTIALS, Signing, print_field
from botocore_tables.tokens import bedrock

DATE = "20240102T030405Z"
TOKEN = "FwoG/ZXIv+YXdz=="


class MQTTQueryAuth(botocore.auth.SigV4QueryAuth):
    """As in presigned-urls.py: neither a life nor a token is signed, the token comes last."""

    def _modify_request_before_signing(self, request):
        headers = self.signed_headers(self.headers_to_sign(request))
        request.url += "?" + botocore.auth.percent_encode_sequence({
            "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
            "X-Amz-Credential": self.scope(request),
            "X-Amz-Date": request.context["timestamp"],
            "X-Amz-SignedHeaders": headers})

    def _inject_signature_to_request(self, request, signature):
        request.url += f"&X-Amz-Signature={signature}"
        if self.credentials.token:
            request.url += "&" + botocore.auth.percent_encode_sequence(
                {"X-Amz-Security-Token": self.credentials.token})


def client(service, region, credentials=CREDENTIALS, token=None):
    return botocore.session.Session().create_client(
        service, region, aws_access_key_id=credentials[0], aws_secret_access_key=credentials[1],
        aws_session_token=token)


def presign(service, region, url, lifetime=900, date=DATE, credentials=CREDENTIALS, token=None,
         headers=(), method="GET"):
    return Signing(botocore.auth.SigV4QueryAuth, service, region, date, method, url, headers,
                   token=token, credentials=credentials, expires=lifetime)


def in_canonical_order(signed):
    """The URL with its parameters in canonical order. botocore has the session token behind the
    signed headers instead; both orders have the same signature."""
    before, _ = signed.request.url.split("?")
    query = signed.canonical_request.split("\n")[2]
    return f"{before}?{query}&X-Amz-Signature={signed.signature}"


def print_inputs(name, function, region, inputs, date=DATE, credentials=CREDENTIALS, token=None):
    print()
    fields = [("name", name), ("function", function), ("region", region), ("date", date), *inputs]
    if credentials != CREDENTIALS:
        fields += [("access-key-id", credentials[0]), ("secret-access-key", credentials[1])]
    if token:
        fields.append(("token", token))
    for field, value in fields:
        print_field(field, value)


def print_result(signed, field, value):
    print_field("canonical-request", signed.canonical_request)
    print_field("string-to-sign", signed.string_to_sign)
    print_field("signature", signed.signature)
    print_field(field, value)


def same_parameters(one, other):
    return sorted(one.replace("?", "&").split("&")) == sorted(other.replace("?", "&").split("&"))


def print_rds(name, host, port, user, region, **options):
    user_text = urllib.parse.quote(user, safe="-_.~")
    signed = presign("rds-db", region, f"https://{host}:{port}/?Action=connect&DBUser={user_text}",
                     **options)
    text = in_canonical_order(signed).removeprefix("https://")
    options.pop("date", None)
    assert same_parameters(text, client("rds", region, **options).generate_db_auth_token(
        host, port, user, region))
    print_inputs(name, "rds", region, [("host", host), ("port", port), ("user", user)],
                 date=signed.request.context["timestamp"], **options)
    print_result(signed, "text", text)


def print_dsql(name, host, role, region, lifetime=900, **options):
    action = {"admin": "DbConnectAdmin", "custom": "DbConnect"}[role]
    signed = presign("dsql", region, f"https://{host}/?Action={action}", lifetime, **options)
    text = in_canonical_order(signed).removeprefix("https://")
    options.pop("date", None)
    service = client("dsql", region, **options)
    generate = {"admin": service.generate_db_connect_admin_auth_token,
                "custom": service.generate_db_connect_auth_token}[role]
    assert same_parameters(text, generate(host, region, lifetime))
    print_inputs(name, "dsql", region, [("host", host), ("role", role), ("lifetime", lifetime)],
                 date=signed.request.context["timestamp"], **options)
    print_result(signed, "text", text)


def print_cache(name, function, service, cache, user, region="us-east-1", kind=None, **options):
    resource = "&ResourceType=ServerlessCache" if kind == "serverless" else ""
    user_text = urllib.parse.quote(user, safe="-_.~")
    signed = presign(service, region,
                     f"https://{cache}/?Action=connect{resource}&User={user_text}", **options)
    inputs = [("cache", cache), ("user", user)] + ([("kind", kind)] if kind else [])
    print_inputs(name, function, region, inputs, **options)
    print_result(signed, "text", in_canonical_order(signed).removeprefix("https://"))


def print_eks(name, cluster, region, function="eks", **options):
    endpoint = client("sts", region).meta.endpoint_url
    if function == "eks, global":
        endpoint = "https://sts.amazonaws.com"
    signed = presign("sts", region, f"{endpoint}/?Action=GetCallerIdentity&Version=2011-06-15", 60,
                     headers=[("x-k8s-aws-id", cluster)], **options)
    print_inputs(name, function, region, [("cluster", cluster)], **options)
    print_result(signed, "text", "k8s-aws-v1." + url_safe(in_canonical_order(signed)))


def print_msk(name, region, user_agent, **options):
    signed = presign("kafka-cluster", region,
                     f"https://kafka.{region}.amazonaws.com/?Action=kafka-cluster%3AConnect",
                     **options)
    appended = "&User-Agent=" + urllib.parse.quote(user_agent, safe="-_.~")
    print_inputs(name, "msk", region, [("user-agent", user_agent)], **options)
    print_result(signed, "text", url_safe(in_canonical_order(signed) + appended))


def url_safe(text):
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def print_iot(name, host, region, token=None):
    signed = Signing(MQTTQueryAuth, "iotdevicegateway", region, DATE, "GET", f"wss://{host}/mqtt",
                     token=token)
    print_inputs(name, "iot", region, [("host", host)], token=token)
    print_result(signed, "presigned-url", signed.request.url)


def print_transcribe(name, kind, region, host, parameters, lifetime=300, port=None, **options):
    """With a port the host is an input, too."""
    path = {"general": "", "medical": "medical-", "callAnalytics": "call-analytics-"}[kind]
    authority = host if port == 443 else f"{host}:{port or 8443}"
    signed = presign("transcribe", region,
                     f"wss://{authority}/{path}stream-transcription-websocket?{parameters}",
                     lifetime, **options)
    inputs = [("kind", kind), ("parameters", parameters), ("lifetime", lifetime)]
    inputs += [("host", host), ("port", port)] if port else []
    print_inputs(name, "transcribe", region, inputs, **options)
    print_result(signed, "presigned-url", signed.request.url)


def print_signaling(name, host, channel, region, client_id=None, lifetime=299, **options):
    query = "X-Amz-ChannelARN=" + urllib.parse.quote(channel, safe="-_.~")
    if client_id:
        query += "&X-Amz-ClientId=" + urllib.parse.quote(client_id, safe="-_.~")
    signed = presign("kinesisvideo", region, f"wss://{host}/?{query}", lifetime, **options)
    inputs = [("host", host), ("channel", channel), ("lifetime", lifetime)]
    print_inputs(name, "kinesisVideo", region,
                 inputs + ([("client-id", client_id)] if client_id else []), **options)
    print_result(signed, "presigned-url", signed.request.url)


def print_bedrock(name, region, lifetime=43200, **options):
    signed = presign("bedrock", region, "https://bedrock.amazonaws.com/?Action=CallWithBearerToken",
                     lifetime, method="POST", **options)
    text = bedrock(region, DATE, lifetime, **options)
    print_inputs(name, "bedrock", region, [("expires", lifetime)], **options)
    print_result(signed, "text", text)


print("# Printed by connection-tokens.py, which uses botocore.auth, and asserts what the generators of")
print("# botocore say for RDS and DSQL, and AWS's aws-bedrock-token-generator for Bedrock. function: the one")
print("# whose arguments are the fields after it.")
DATABASE = "db.123.us-east-1.rds.amazonaws.com"
print_rds("RDS", DATABASE, 5432, "iam_user", "us-east-1")
print_rds("RDS, session token", DATABASE, 5432, "iam_user", "us-east-1", token=TOKEN)
print_rds("RDS, as in the AWS SDK for Rust", "prod-instance.us-east-1.rds.amazonaws.com", 3306,
          "peccy", "us-east-1", date="20240826T220000Z", credentials=("akid", "secret"))
print_rds("Aurora in China", "c.cluster-1.rds.cn-north-1.amazonaws.com.cn", 3306, "a b+c/\u00E9@x",
          "cn-north-1")
print_rds("RDS, the port of https", DATABASE, 443, "u", "us-east-1")
print_rds("RDS, the highest port", DATABASE, 65535, "u", "us-east-1")
CLUSTER = "abc.dsql.us-east-1.on.aws"
print_dsql("DSQL, admin", CLUSTER, "admin", "us-east-1")
print_dsql("DSQL, custom role", CLUSTER, "custom", "us-east-1", token=TOKEN)
print_dsql("DSQL, a week", CLUSTER, "custom", "us-east-1", 604800)
print_dsql("DSQL, as in the AWS SDK for Rust", "peccy.dsql.us-east-1.on.aws", "custom",
           "us-east-1", 450, date="20240827T000000Z", credentials=("akid", "secret"))
print_cache("ElastiCache", "elastiCache", "elasticache", "my-cache", "iam-user-01",
            kind="nodeBased")
print_cache("ElastiCache, serverless", "elastiCache", "elasticache", "my-cache", "iam-user-01",
            kind="serverless")
print_cache("ElastiCache, serverless, session token", "elastiCache", "elasticache", "my-cache",
            "iam user", "eu-west-1", kind="serverless", token=TOKEN)
print_cache("MemoryDB", "memoryDB", "memorydb", "my-cluster", "iam-user-01")
print_cache("MemoryDB, session token", "memoryDB", "memorydb", "my-cluster", "u", "eu-west-1",
            token=TOKEN)
print_eks("EKS", "my-cluster", "us-east-1")
print_eks("EKS, session token", "my-cluster", "eu-central-1", token=TOKEN)
print_eks("EKS in China", "my-cluster", "cn-north-1")
print_eks("EKS in GovCloud", "my-cluster", "us-gov-west-1")
print_eks("EKS in the European Sovereign Cloud", "my-cluster", "eusc-de-east-1")
print_eks("EKS, global endpoint", "Cluster_1", "us-east-1", "eks, global")
print_msk("MSK", "us-east-1", "example/1.0")
print_msk("MSK, session token", "ap-south-1", "caf\u00E9 1", token=TOKEN)
print_msk("MSK, two bytes over", "eu-west-1", "")
print_bedrock("Bedrock", "us-west-2")
print_bedrock("Bedrock, session token", "eu-west-3", 900, token=TOKEN)
print_bedrock("Bedrock, a second, in GovCloud", "us-gov-west-1", 1)
GATEWAY = "abc-ats.iot.us-east-1.amazonaws.com"
print_iot("IoT", GATEWAY, "us-east-1")
print_iot("IoT, session token", GATEWAY, "us-east-1", TOKEN)
STREAM = "language-code=en-US&media-encoding=pcm&sample-rate=16000"
HOST = "transcribestreaming.{}.amazonaws.com"
print_transcribe("Transcribe", "general", "us-west-2", HOST.format("us-west-2"), STREAM)
print_transcribe("Transcribe Medical, session token", "medical", "us-east-1",
                 HOST.format("us-east-1"), STREAM + "&specialty=PRIMARYCARE&type=DICTATION", 60,
                 token=TOKEN)
print_transcribe("Transcribe Call Analytics", "callAnalytics", "eu-west-2",
                 HOST.format("eu-west-2"), STREAM)
print_transcribe("Transcribe in China", "general", "cn-north-1",
                 HOST.format("cn-north-1") + ".cn", STREAM)
print_transcribe("Transcribe, FIPS endpoint", "general", "us-east-1",
                 HOST.format("us-east-1").replace(".", "-fips.", 1), STREAM, port=8443)
print_transcribe("Transcribe, VPC endpoint", "medical", "eu-west-1",
                 "vpce-1-a.transcribestreaming.eu-west-1.vpce.amazonaws.com", STREAM, port=443,
                 token=TOKEN)
CHANNEL = "arn:aws:kinesisvideo:us-west-2:123456789012:channel/demo/1700000000000"
print_signaling("Kinesis Video, master", "m-1a2b3c4d.kinesisvideo.us-west-2.amazonaws.com", CHANNEL,
                "us-west-2")
print_signaling("Kinesis Video, viewer", "v-1a2b3c4d.kinesisvideo.us-west-2.amazonaws.com", CHANNEL,
                "us-west-2", "viewer_1.a-b", token=TOKEN)
print_signaling("Kinesis Video, an hour", "v-1a2b3c4d.kinesisvideo.us-west-2.amazonaws.com",
                CHANNEL, "us-west-2", "v", 3600)
