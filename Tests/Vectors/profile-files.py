# SPDX-License-Identifier: Apache-2.0
# Prints profile-files.txt: files of profiles, and the sections and settings that botocore reads.
#
# botocore.configloader.raw_config_parse is asked, which uses Python's RawConfigParser. A file that
# it raises ConfigParseError for has the field "refused".

import os
import sys
import tempfile

sys.dont_write_bytecode = True

from botocore.configloader import raw_config_parse
from botocore.exceptions import ConfigParseError

from botocore_tables.signing import print_field

FILES = {
    "nothing": "",
    "one section": "[a]\nkey = value\n",
    "no line end at the end": "[a]\nkey = value",
    "CRLF": "[a]\r\nkey = value\r\nother =\r\n  x = 1\r\n",
    "CR alone": "[a]\rkey = value\r[b]\rother = 1",
    "CR LF LF": "[a]\r\nkey = one\r\n\r\n\n  two\n",
    "byte order mark": b"\xef\xbb\xbf[a]\nkey = value\n",
    "byte order mark and a comment": b"\xef\xbb\xbf# comment\n[a]\nkey = value\n",
    "not UTF-8": b"[a]\nkey = caf\xe9\n",
    "not UTF-8 in a comment": b"[a]\n# caf\xe9\nkey = value\n",
    "an overlong form": b"[a]\nkey = \xc0\xaf\n",
    "a surrogate": b"[a]\nkey = \xed\xa0\x80\n",
    "UTF-8": "[prof\u00edl \u2603]\nkl\u00ed\u010d = hodnota \U0001f511\n",
    "NUL": "[a]\nkey = b\0c\n",
    "no section": "key = value\n",
    "a comment before the first section": "# comment\n; another\n\n[a]\nkey = value\n",
    "an indented line before the first section": "  key = value\n",
    "number sign at the beginning": "[a]\n# key = 1\nkey = 2\n",
    "semicolon at the beginning": "[a]\n; key = 1\nkey = 2\n",
    "indented comment": "[a]\nkey = 1\n   # no continuation\nother = 2\n",
    "indented semicolon": "[a]\nkey = 1\n\t; no continuation\n  continued\n",
    "number sign after a value": "[a]\nkey = value # all of this\n",
    "semicolon after a value": "[a]\nkey = value ; all of this\n",
    "number sign in a value": "[a]\nkey = a#b;c\n",
    "comment after a header": "[a] # comment\nkey = value\n[b] ; [c]\nkey = 1\n",
    "text after a header": "[a] b = c\nkey = value\n",
    "empty brackets": "[]\nkey = value\n",
    "a bracket in brackets": "[]]\nkey = value\n[a]b]\nkey = 2\n",
    "blanks in brackets": "[ a ]\nkey = value\n[a]\nkey = 2\n",
    "bracket not closed": "[a\nkey = value\n",
    "bracket not closed with a value": "[a]\n[b = c\n",
    "indented header": "  [a]\n  key = value\n  other = 2\n",
    "indented header after a setting": "[a]\nkey = value\n  [b]\nother = 2\n",
    "indented setting after a header": "[a]\n    key = value\n  other = 2\n",
    "deeper settings": "[a]\n  one = 1\n    two = 2\n three = 3\n",
    "section twice": "[a]\nkey = 1\n[b]\nkey = 1\n[a]\nother = 2\n",
    "section twice in other case": "[a]\nkey = 1\n[A]\nkey = 2\n",
    "setting twice": "[a]\nkey = 1\nkey = 2\n",
    "setting twice in other case": "[a]\nKEY = 1\nKey = 2\n",
    "setting in two sections": "[a]\nkey = 1\n[b]\nkey = 2\n",
    "upper case": "[A]\nAWS_Access_Key_ID = Value\n",
    "upper case beyond ASCII": "[a]\n\u00c9T\u00c9 = \u00c9t\u00e9\n",
    "composed and decomposed": "[a]\n\u00e9 = 1\ne\u0301 = 2\n[\u00e9]\nx = 1\n[e\u0301]\nx = 2\n",
    "colon": "[a]\nkey: value\nurl: http://h:1/?a=b\n",
    "colon before equals sign": "[a]\nkey:a=value\nother=a:b\n",
    "no blanks": "[a]\nkey=value\n",
    "many blanks": "[a]\nkey \t =\t  a  b \t\n",
    "blank inside a name": "[a]\nthe key = value\n",
    "two equals signs": "[a]\nkey == value\n",
    "no delimiter": "[a]\nkey\n",
    "no delimiter later": "[a]\nkey = value\n[b]\nother\n",
    "no name": "[a]\n= value\n",
    "no value": "[a]\nkey =\nother = 1\n",
    "no value at the end": "[a]\nkey =\n\n\n",
    "quotes stay": "[a]\nkey = \"value\"\nother = 'x y'\n",
    "percent signs stay": "[a]\nkey = %(other)s %% ${x}\n",
    "backslash stays": "[a]\nkey = a\\\nother = b\n",
    "continuation": "[a]\nkey = one\n  two\n\tthree\nother = 1\n",
    "continuation with an equals sign": "[a]\nkey = one\n  two = 2\n",
    "continuation after an empty line": "[a]\nkey = one\n\n  two\n\n\nother = 1\n",
    "continuation after a line of blanks": "[a]\nkey = one\n   \t\n  two\n",
    "continuation after a comment": "[a]\nkey = one\n# comment\n  two\n",
    "continuation not indented": "[a]\nkey = one\ntwo\n",
    "continuation after a header": "[a]\n  two\n",
    "continuation of a colon": "[a]\nkey:\n  x = 1\n",
    "nested": "[a]\ns3 =\n  max_concurrent_requests = 20\n  Addressing_Style= path\nregion = r\n",
    "nested with an empty line": "[a]\ns3 =\n\n  x = 1\n\n  y = 2\n",
    "nested with a comment": "[a]\ns3 =\n  # comment\n  x = 1 # no comment\n",
    "nested twice": "[a]\ns3 =\n  x = 1\n  y = 2\n  x = 3\n",
    "nested deeper": "[a]\ns3 =\n  x =\n    y = 1\n",
    "nested without an equals sign": "[a]\ns3 =\n  x\n",
    "nested with a colon": "[a]\ns3 =\n  x: 1\n",
    "nested without a name": "[a]\ns3 =\n  = 1\n",
    "nested with separators of Unicode": "[a]\ns3 =\n  x = 1\u2028y = 2\x0bz = 3\x1cw = 4\x1fv = 5\n",
    "nested lines of less depth": "[a]\n  s3 =\n      x = 1\n    y = 2\n",
    "DEFAULT": "[DEFAULT]\nregion = r\nkey = 1\n[a]\nkey = 2\n[b]\nother = 3\n",
    "DEFAULT last": "[a]\nkey = 2\n[DEFAULT]\nregion = r\n",
    "DEFAULT twice": "[DEFAULT]\nx = 1\n[a]\nkey = 2\n[DEFAULT]\ny = 2\n",
    "DEFAULT twice with a setting twice": "[DEFAULT]\nx = 1\n[a]\nkey = 2\n[DEFAULT]\nx = 2\n",
    "DEFAULT continued elsewhere": "[DEFAULT]\nx = 1\n[DEFAULT]\n  y = 2\n",
    "DEFAULT nested": "[DEFAULT]\ns3 =\n  x = 1\n[a]\nkey = 2\n",
    "DEFAULT nested and broken, without a section": "[DEFAULT]\ns3 =\n  x\n",
    "default": "[default]\nregion = r\n[a]\nkey = 2\n",
    "blanks of Unicode": "[a]\n\u00a0key\u3000=\u2003value\u00a0\n",
    "blanks of Unicode continue": "[a]\nkey = one\n\u00a0two\n\x1cthree\n",
    "form feed is a blank": "[a]\nkey = one\x0ctwo\n\x0b\n",
    "next line is no line end": "[a]\nkey = one\x85two\n",
    "zero width space is no blank": "[a]\nkey =\u200bvalue\n",
}


def record(name, contents):
    data = contents if isinstance(contents, bytes) else contents.encode()
    print_field("name", name)
    print_field("file", data)
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        try:
            sections = raw_config_parse(file.name)
        except ConfigParseError:
            print_field("refused", "")
            sections = {}
    for section, settings in sections.items():
        print_field("section", section)
        for setting, value in settings.items():
            if isinstance(value, dict):
                print_field("nested", "\n".join([section, setting]))
                for inner, text in value.items():
                    print_field("inner", "\n".join([section, setting, inner, text]))
            else:
                print_field("setting", "\n".join([section, setting, value]))
    print()


print("# Printed by profile-files.py, which uses botocore.configloader.")
print("# setting: section, name, value; inner: section, setting, name, value; a line each.")
print()
for name, contents in FILES.items():
    record(name, contents)
