#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints multi-region-hosts.txt: the hosts that take Signature Version 4a, by botocore's endpoint rules.

All rules of all services are searched for it. A service that the parameters below do not cover ends
the script, so that a new one is noticed.
"""

import sys
import urllib.parse

sys.dont_write_bytecode = True

import botocore.session
from botocore.endpoint_provider import EndpointProvider
from botocore.exceptions import EndpointProviderError

from botocore_tables.signing import print_field

SESSION = botocore.session.get_session()
LOADER = SESSION.get_component("data_loader")
PARTITIONS = LOADER.load_data("partitions")
REGIONS = {partition["partition"]: list(partition["regions"])[0]
           for partition in LOADER.load_data("endpoints")["partitions"]}
# EventBridge, User Guide, "Working with global endpoints": an ID of two labels.
ENDPOINT = {"EndpointId": "abcde.veo"}
ACCESS_POINT = "arn:{}:s3::123456789012:accesspoint/mfzwi23gnjvgw.mrap"
OUTPOST = "arn:{}:s3-outposts:{}:123456789012:outpost/op-01234567890123456/accesspoint/reports"
PARAMETERS = {
    "cloudfront-keyvaluestore": lambda partition, region: [
        {"KvsARN": f"arn:{partition}:cloudfront::123456789012:key-value-store/a1"}],
    "events": lambda partition, region: [ENDPOINT],
    "sesv2": lambda partition, region: [ENDPOINT],
    "s3": lambda partition, region: [
        {"Bucket": ACCESS_POINT.format(partition)}, {"Bucket": OUTPOST.format(partition, region)}],
    "partnercentral-channel": lambda partition, region: [{}],
    "partnercentral-revenue-measurement": lambda partition, region: [{}],
    "sustainability": lambda partition, region: [{}],
}


def schemes_of(tree):
    """The names of all authentication schemes of a rule and of those in it."""
    endpoint = tree.get("endpoint", {})
    for scheme in endpoint.get("properties", {}).get("authSchemes", []):
        yield scheme["name"]
    for rule in tree.get("rules", []):
        yield from schemes_of(rule)


def hosts_of(service, rules):
    """Host, signing name and schemes, in each partition, with each variant of the endpoint."""
    provider = EndpointProvider(rules, PARTITIONS)
    model = SESSION.get_service_model(service)
    for partition, region in REGIONS.items():
        for parameters in PARAMETERS[service](partition, region):
            for fips, dual_stack in [(0, 0), (0, 1), (1, 0), (1, 1)]:
                known = {"Region": region, "UseFIPS": bool(fips), "UseDualStack": bool(dual_stack)}
                known = {name: value for name, value in known.items() if name in rules["parameters"]}
                try:
                    endpoint = provider.resolve_endpoint(**known, **parameters)
                except EndpointProviderError:
                    continue
                schemes = endpoint.properties.get("authSchemes", [])
                names = [scheme["name"] for scheme in schemes]
                if "sigv4a" in names:
                    assert schemes[names.index("sigv4a")]["signingRegionSet"] == ["*"]
                    yield (urllib.parse.urlsplit(endpoint.url).hostname,
                           schemes[0].get("signingName", model.signing_name), " ".join(names))


def main():
    services = {}
    for service in SESSION.get_available_services():
        rules = LOADER.load_service_model(service, "endpoint-rule-set-1")
        if "sigv4a" in schemes_of(rules):
            services[service] = rules
    assert set(services) == set(PARAMETERS), set(services) ^ set(PARAMETERS)
    print("# Printed by multi-region-hosts.py: hosts that take Signature Version 4a, by botocore's rules.")
    print("# schemes: all that they take. Each is signed for the region set *.")
    for service, rules in services.items():
        kinds = {}
        for host, name, schemes in hosts_of(service, rules):
            kinds.setdefault((name, schemes), {})[host] = None
        for (name, schemes), hosts in kinds.items():
            print()
            print_field("name", f"{service}, {name}")
            print_field("service", name)
            print_field("schemes", schemes)
            print_field("example", list(hosts)[0])
            for host in hosts:
                print_field("host", host)
    others = [service for service in SESSION.get_available_services() if service not in services
              and "aws.auth#sigv4a" in SESSION.get_service_model(service).metadata.get("auth", [])]
    print(f"\n# Beside SigV4 at every endpoint, as the model says and no rule does: {', '.join(others)}.")


main()
