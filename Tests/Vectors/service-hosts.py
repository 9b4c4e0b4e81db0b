#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints service-hosts.txt: where AWS's services are asked and their signing names, from botocore.

The hosts are those of the rules of every client, in a region of each partition, plain, FIPS and
dual-stack, also with the parameters of its operations, those with a prefix that an operation adds,
and those that endpoints.json spells out.
Hosts that differ in their region alone are one, and those of one kind stand together.
"""

import collections
import itertools
import re
import urllib.parse

import botocore.session
from botocore.endpoint_provider import EndpointProvider
from botocore.exceptions import EndpointProviderError

SESSION = botocore.session.get_session()
LOADER = SESSION.get_component("data_loader")
PARTITIONS = LOADER.load_data("endpoints")["partitions"]
REGIONS = [region for partition in PARTITIONS for region in partition["regions"]]
SERVICES = [name for name in SESSION.get_available_services() if name != "importexport"]


def parameters_of(service, model, partition, region):
    """No parameters, and those that the operations set or take: an operation's kind, a stream."""
    found = {()}
    for name in model.operation_names:
        found.add(tuple((parameter.name, parameter.value)
                        for parameter in model.operation_model(name).static_context_parameters))
    # S3 has tables of its own.
    if service in ("s3", "s3control"):
        return [{}]
    stream = f"arn:{partition}:kinesis:{region}:123456789012:stream/films"
    return [dict(parameters, **{"StreamARN": stream} if service == "kinesis" and parameters else {})
            for parameters in sorted(found)]


def of_clients():
    """Host, signing name, region of the signature."""
    partitions = LOADER.load_data("partitions")
    for service in SERVICES:
        model = SESSION.get_service_model(service)
        rules = LOADER.load_service_model(service, "endpoint-rule-set-1")
        provider = EndpointProvider(rules, partitions)
        prefixes = {model.operation_model(name).endpoint["hostPrefix"]
                    for name in model.operation_names if model.operation_model(name).endpoint}
        for partition in PARTITIONS:
            region = list(partition["regions"])[0]
            for fips, dual_stack, parameters in itertools.product(
                    [0, 1], [0, 1], parameters_of(service, model, partition["partition"], region)):
                try:
                    endpoint = provider.resolve_endpoint(
                        Region=region, UseFIPS=bool(fips), UseDualStack=bool(dual_stack), **parameters)
                except EndpointProviderError:
                    continue
                host = urllib.parse.urlsplit(endpoint.url).hostname
                scheme = (endpoint.properties.get("authSchemes") or [{}])[0]
                name = scheme.get("signingName", model.signing_name)
                yield host, name, scheme.get("signingRegion", region if region in host else None)
                if not fips and not dual_stack:
                    for prefix in prefixes:
                        yield re.sub("[{}]", "", prefix).lower() + host, name, region


def of_endpoints():
    """The same of endpoints.json, which knows old hosts too; what no client knows is left out."""
    names = collections.defaultdict(set)
    for service in SERVICES:
        model = SESSION.get_service_model(service)
        names[model.endpoint_prefix].add(model.signing_name)
    for partition in PARTITIONS:
        for service, description in partition["services"].items():
            for region, endpoint in description["endpoints"].items():
                scope = endpoint.get("credentialScope", {})
                name = scope.get("service") or (list(names[service]) + [None])[0]
                variants = endpoint.get("variants", []) if region in REGIONS else []
                for variant in [endpoint, *variants]:
                    host = variant.get("hostname", "")
                    if name and host.startswith(service.split(".")[0]) and ":" not in host:
                        yield host, name, scope.get("region", region)


def main():
    regions = {partition["partition"]: partition["regions"] for partition in PARTITIONS}
    # In other domains is the sign-in alone.
    domains = {
        partition["outputs"][suffix]: regions[partition["id"]]
        for partition in LOADER.load_data("partitions")["partitions"]
        for suffix in ["dnsSuffix", "dualStackDnsSuffix"] if partition["id"] in regions}
    domains["api.aws"] = domains["amazonaws.com"] = domains["on.aws"] = regions["aws"]
    hosts = collections.defaultdict(lambda: collections.defaultdict(set))
    for host, name, signed in [*of_clients(), *of_endpoints()]:
        domain = max((d for d in domains if host.endswith("." + d)), key=len, default=None)
        # endpoints.json has hosts such as ramus-gov-west-1, without a dot.
        if not domain or host.startswith("ramus-"):
            continue
        labels = host[:-len(domain) - 1].split(".")
        form = ".".join("REGION" if label in REGIONS else label for label in labels)
        example = list(domains[domain])[0]
        hosts[form, name][domain].add(
            example if signed in labels else signed if signed in REGIONS else "-")
    kinds = collections.defaultdict(list)
    for (form, name), places in hosts.items():
        regions = [(domain, list(domains[domain])[0], *(found if len(found) == 1 else "-"))
                   for domain, found in sorted(places.items())]
        kinds[tuple(regions)].append(f"{form} {name}")
    print("# Hosts of AWS's services and their signing names, by botocore's rules (facts only):")
    print("# each host in each domain, with the first region for REGION, and signed for the second one.")
    print("# Made by service-hosts.py.")
    for number, (regions, forms) in enumerate(sorted(kinds.items(), key=lambda kind: kind[1]), 1):
        print(f"\nname: kind {number}")
        for domain, example, signed in regions:
            print(f"domain: {domain} {example} {signed}")
        for form in sorted(forms):
            print(f"host: {form}")


main()
