#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints service-hosts.txt: endpoints of AWS's services and their signing names, from botocore."""

import re
import urllib.parse

import botocore.session

REGION = "eu-west-1"


def endpoint(session, service):
    """Host, signing name and region of a client's plain endpoint; None where there is none."""
    try:
        client = session.create_client(
            service, region_name=REGION, aws_access_key_id="a", aws_secret_access_key="b")
        url = client.meta.endpoint_url
    except Exception:  # botocore has a class of its own for every kind of absence
        return None
    host = urllib.parse.urlsplit(url).hostname
    return host, client.meta.service_model.signing_name


def main():
    session = botocore.session.get_session()
    rows = set()
    for service in session.get_available_services():
        row = endpoint(session, service)
        if row and "{" not in row[0]:
            rows.add(row)
    print("# Hosts of AWS's services in eu-west-1 and their signing names.")
    print("# Made by service-hosts.py, from botocore's service models (facts only).")
    for host, name in sorted(rows):
        print(f"\nname: {host}\nservice: {name}")
        region = re.search(r"\.([a-z]{2}-[a-z]+-\d)\.", host)
        if region:
            print(f"region: {region[1]}")


main()
