# SPDX-License-Identifier: Apache-2.0
# Prints bucket-endpoints.txt: the URLs of an object and of its bucket, by botocore's rules for S3.

import sys
import urllib.parse

sys.dont_write_bytecode = True

import botocore.endpoint_provider
import botocore.exceptions
import botocore.loaders

from botocore_tables.signing import print_field

LOADER = botocore.loaders.create_loader()
RULES = botocore.endpoint_provider.EndpointProvider(
    LOADER.load_service_model("s3", "endpoint-rule-set-1"), LOADER.load_data("partitions"))

KEY = "photos/\u00e9t\u00e9 +1.jpg"
WIRE_KEY = urllib.parse.quote(KEY, safe="/~")

REGIONS = ["us-east-1", "eu-west-1", "ap-southeast-7", "il-central-1", "mx-central-1", "cn-north-1",
           "cn-northwest-1", "us-gov-west-1", "us-gov-east-1", "us-iso-east-1", "us-isob-east-1",
           "eu-isoe-west-1", "us-isof-south-1", "eusc-de-east-1"]
VARIANTS = {
    "standard": {},
    "dual-stack": {"UseDualStack": True},
    "fips": {"UseFIPS": True},
    "fips-dual-stack": {"UseFIPS": True, "UseDualStack": True},
    "accelerate": {"Accelerate": True},
    "accelerate-dual-stack": {"Accelerate": True, "UseDualStack": True},
}
ADDRESSINGS = {"automatic": {}, "path": {"ForcePathStyle": True}}
BUCKETS = ["photos", "photos.example.com", "access-point-abc123-s3alias"]
DIRECTORY_BUCKETS = [("b--use1-az4--x-s3", "us-east-1"), ("b-1--apne1-az1--x-s3", "ap-northeast-1"),
                     ("b--usw2-lax1-az1--x-s3", "us-west-2"), ("ap--use1-az4--xa-s3", "us-east-1")]
MULTI_REGION = "arn:aws:s3::123456789012:accesspoint/mfzwi23gnjvgw.mrap"
ACCESS_POINTS = [
    "s3:REGION:123456789012:accesspoint/films", "s3:REGION:123456789012:accesspoint:films-2",
    "s3-object-lambda:REGION:123456789012:accesspoint/films",
    "s3-outposts:REGION:123456789012:outpost/op-01234567890123456/accesspoint/films",
    "s3-outposts:REGION:123456789012:outpost:op-01234567890123456:accesspoint:films"]
WRONG_ACCESS_POINTS = [
    "s3:REGION:123456789012:bucket/films", "s3:REGION:123456789012:accesspoint/",
    "s3:REGION:123456789012:accesspoint/films/a", "s3:REGION:12345_789012:accesspoint/films",
    "s3:REGION::accesspoint/films", "s3:REGION:123456789012:accesspoint/fi_lms",
    "s3-outposts:REGION:123456789012:outpost/op-1", "sqs:REGION:123456789012:accesspoint/films",
    "s3-outposts:REGION:123456789012:outpost/op-1/bucket/films",
    "s3-outposts:REGION:123456789012:outpost/op_1/accesspoint/films",
    "s3-object-lambda::123456789012:accesspoint/films"]
PARTITIONS = [("aws", "us-east-1"), ("aws-cn", "cn-north-1"), ("aws-us-gov", "us-gov-west-1"),
              ("aws-eusc", "eusc-de-east-1"), ("aws-iso", "us-iso-east-1"),
              ("aws-iso-b", "us-isob-east-1"), ("aws-iso-e", "eu-isoe-west-1"),
              ("aws-iso-f", "us-isof-south-1")]
ORIGINS = ["http://127.0.0.1:9000", "https://minio.example.com", "https://minio.example.com:9443",
           "http://storage.example.com", "https://account.r2.cloudflarestorage.com",
           "https://account.eu.r2.cloudflarestorage.com"]


def print_endpoint(bucket, region, variant, addressing="automatic", origin=None, **parameters):
    print()
    fields = [("bucket", bucket), ("region", region), ("variant", variant),
              ("addressing", addressing), ("origin", origin)]
    fields = [(field, value) for field, value in fields if value is not None]
    print_field("name", ", ".join(value for _, value in fields))
    for field, value in fields:
        print_field(field, value)
    parameters |= {"Bucket": bucket, "Region": region, **VARIANTS[variant]}
    if origin:
        parameters["Endpoint"] = origin
    try:
        endpoint = RULES.resolve_endpoint(**parameters)
    except botocore.exceptions.EndpointProviderError as error:
        print_field("refused", error)
        return
    print_field("bucket-url", endpoint.url)
    print_field("object-url", endpoint.url + "/" + WIRE_KEY)
    # S3 on Outposts accepts Signature Version 4a first, and Signature Version 4.
    scheme = endpoint.properties["authSchemes"][-1]
    print_field("signing-name", scheme["signingName"])
    if "signingRegionSet" in scheme:
        print_field("signing-region-set", ",".join(scheme["signingRegionSet"]))
    else:
        print_field("signing-region", scheme.get("signingRegion", region))
    assert scheme["disableDoubleEncoding"]


print("# Printed by bucket-endpoints.py, which asks botocore's endpoint rules for S3.")
print("# object-url: of the key photos/\u00e9t\u00e9 +1.jpg. refused: why botocore has no endpoint.")
for region in REGIONS:
    for variant in VARIANTS:
        for bucket in BUCKETS:
            print_endpoint(bucket, region, variant)
        print_endpoint("photos", region, variant, "path", ForcePathStyle=True)
for partition, region in PARTITIONS:
    arn = f"arn:{partition}:s3::123456789012:accesspoint"
    print_endpoint(arn + "/mfzwi23gnjvgw.mrap", region, "standard", "multi-region")
    print_endpoint(arn + ":mfzwi23gnjvgw.mrap", region, "standard", "multi-region")
for variant in VARIANTS:
    print_endpoint(MULTI_REGION, "us-east-1", variant, "multi-region")
print_endpoint(MULTI_REGION, "us-east-1", "standard", "multi-region path", ForcePathStyle=True)
for region in ["us-west-2", "cn-north-1", "us-gov-west-1"]:
    partition = {"cn-north-1": "aws-cn", "us-gov-west-1": "aws-us-gov"}.get(region, "aws")
    for variant in VARIANTS:
        for resource in ACCESS_POINTS:
            print_endpoint(f"arn:{partition}:{resource}".replace("REGION", region), region, variant,
                           "access point")
for resource in WRONG_ACCESS_POINTS:
    print_endpoint(f"arn:aws:{resource}".replace("REGION", "us-west-2"), "us-west-2", "standard",
                   "access point")
for bucket, region in DIRECTORY_BUCKETS:
    for variant in VARIANTS:
        print_endpoint(bucket, region, variant, "zone")
        if not bucket.endswith("--xa-s3"):  # whose rules have no control plane
            print_endpoint(bucket, region, variant, "control", UseS3ExpressControlEndpoint=True)
for variant in VARIANTS:
    print_endpoint("b--cnn1-az1--x-s3", "cn-north-1", variant, "zone")
for origin in ORIGINS:
    print_endpoint("photos", "us-east-1", "standard", "path", origin, ForcePathStyle=True)
    if "127.0.0.1" not in origin:
        print_endpoint("photos", "us-east-1", "standard", "virtual-hosted", origin)
print_endpoint("photos.example.com", "us-east-1", "standard", "virtual-hosted",
               "http://storage.example.com")
