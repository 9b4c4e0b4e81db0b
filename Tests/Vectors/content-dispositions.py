# SPDX-License-Identifier: Apache-2.0
# Prints content-dispositions.txt: Content-Disposition headers with a file name.
#
# The parameter filename* is urllib's, and two parsers find the name in each value: werkzeug's and
# Django's. (Python's email prefers filename, which RFC 6266, 4.3, does not.)

import sys

sys.dont_write_bytecode = True

import urllib.parse

from django.utils.http import parse_header_parameters
from werkzeug.http import parse_options_header

from botocore_tables.signing import print_field

NAMES = [
    "report.pdf", "a b.txt", " a ", "a;b,c='d'.txt", "tab(1) [2] {3}.txt", "#&+!$^`|~@:<>?*.txt",
    # RFC 6266, section 5, and RFC 8187, section 3.2.3.
    "€ rates", "£ and € rates", "EURO rates",
    "Übersicht 2026.pdf", "e\u0301.txt", "日本語.pdf", "😀.png", "\u202egnp.exe", "naïve file.txt",
    'the "plans".pdf', '"', "100%.pdf", "%41%e2.txt", "a%", "UTF-8''x", "file\u2028name", "x" * 255,
]


def is_plain(character):
    """RFC 6266, appendix D: no escaped quotation marks, and no percent signs in filename."""
    return " " <= character <= "~" and character not in '"%'


def value(kind, name):
    plain = "".join(character if is_plain(character) else "_" for character in name)
    result = f'{kind}; filename="{plain}"'
    if plain != name:
        result += "; filename*=UTF-8''" + urllib.parse.quote(name, safe="")
    return result


def check(kind, name, header):
    assert header.isascii() and header.isprintable()
    assert parse_options_header(header) == (kind, {"filename": name}), header
    assert parse_header_parameters(header) == (kind, {"filename": name}), header


print("# Printed by content-dispositions.py, which uses urllib of Python, and reads each value back")
print("# with the parsers of werkzeug and Django.")
for name in NAMES:
    for kind in ("attachment", "inline"):
        header = value(kind, name)
        check(kind, name, header)
        print()
        print_field("type", kind)
        print_field("file-name", name)
        print_field("value", header)
