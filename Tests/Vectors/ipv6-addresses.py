# SPDX-License-Identifier: Apache-2.0
# Prints ipv6-addresses.txt: which texts are IPv6 addresses, as Python's ipaddress reads them.

import ipaddress
import itertools

FOURS = ["1.2.3.4", "0.0.0.0", "255.255.255.255", "256.1.1.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1..3.4", "1.2.3.",
         ".1.2.3", "1.2.3.a", "1.2.3.4567", "00.0.0.0"]


def texts():
    # Every place and length of '::' among up to nine groups.
    for count in range(10):
        groups = [f"{index + 1:x}" for index in range(count)]
        yield ":".join(groups)
        for place in range(count + 1):
            yield ":".join(groups[:place]) + "::" + ":".join(groups[place:])
    for count, four in itertools.product(range(8), FOURS):
        groups = ["ab"] * count
        yield ":".join([*groups, four])
        yield ":".join(groups) + "::" + four
        yield "::" + ":".join([*groups, four])
    yield from ["0", "1:", ":1", ":::", "::::", "1:::2", "1::2::3", "::1::", ":1::2", "1::2:", "12345::", "::g", "::-1", ": :",
                "FFFF::aBcD", "0000::0", "::00001", "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:8:", ":1:2:3:4:5:6:7:8",
                "::1/64", "::1 ", "+1::", "::0x1", "2001:db8::1", "fe80::1", "::ffff:1.2.3.4", "1.2.3.4"]


def is_address(text):
    try:
        ipaddress.IPv6Address(text)
        return True
    except ValueError:
        return False


print("# Printed by ipv6-addresses.py, which uses Python's ipaddress.IPv6Address.")
print("# text: what stands in brackets. address: yes or no.")
for text in dict.fromkeys(texts()):
    print(f"\nname: [{text}]\ntext: {text}\naddress: {'yes' if is_address(text) else 'no'}")
