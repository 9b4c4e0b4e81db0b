# SPDX-License-Identifier: Apache-2.0
# Prints facts-percent-encoding.txt: every byte, plain and escaped, as urllib encodes it.

from urllib.parse import quote


def show(name, kind, text, encoded):
    print(f"\nname: {name}\nkind: {kind}\ntext: {text}\nencoded: {encoded}")


print("# Printed by facts-percent-encoding.py, which uses urllib.parse.quote of Python.")
every_byte = bytes(range(256))
plain = every_byte.replace(b"/", b"")
lower = "".join(f"%{byte:02x}" for byte in every_byte)
upper = "".join(f"%{byte:02X}" for byte in every_byte)
ascii_text = bytes(range(128)).decode()

show("every byte of a path but the slash", "hexadecimal path", plain.hex(), quote(plain, safe="~"))
show("a slash of a path stays", "hexadecimal path", b"a/b".hex(), "a/b")
show("every character of ASCII", "hexadecimal parameter", ascii_text.encode().hex(),
     quote(ascii_text, safe="~"))
show("letters beyond ASCII", "hexadecimal parameter", "é☃𝄞ሴ".encode().hex(), quote("é☃𝄞ሴ"))
show("a composed letter", "hexadecimal parameter", "c3a9", "%C3%A9")
show("a decomposed letter", "hexadecimal parameter", "65cc81", "e%CC%81")
show("every byte, escaped in lowercase", "encoded parameter", lower, quote(every_byte, safe="~"))
show("every byte, escaped in uppercase", "encoded parameter", upper, quote(every_byte, safe="~"))
for name, text, encoded in [
    ("a tilde is never encoded", "%7Ey", "~y"),
    ("a star", "*", "%2A"),
    ("an apostrophe", "'", "%27"),
    ("parentheses and exclamation mark", "()!", "%28%29%21"),
    ("what Foundation leaves", "/?:@!$'()*,;=", "%2F%3F%3A%40%21%24%27%28%29%2A%2C%3B%3D"),
    ("a space", "b%20c", "b%20c"),
    ("lowercase escapes", "%e1%88%b4", "%E1%88%B4"),
    ("mixed case", "%eF%Ef", "%EF%EF"),
    ("more escapes than needed", "%41%62", "Ab"),
    ("no UTF-8", "%FF%FE", "%FF%FE"),
    ("an escaped percent sign", "%2541", "%2541"),
]:
    show(name, "encoded parameter", text, encoded)
for name, text, encoded in [
    ("a percent sign at the end, received", "100%", "100%25"),
    ("no hexadecimal digits, received", "%zz", "%25zz"),
    ("one digit, received", "%4", "%254"),
    ("a digit and a letter, received", "%4g%41", "%254gA"),
]:
    show(name, "received parameter", text, encoded)
