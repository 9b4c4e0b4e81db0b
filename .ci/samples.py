# SPDX-License-Identifier: Apache-2.0
"""The Swift code on the pages that readers copy, as programs."""

import re

from support import CI, ROOT
import modules

# The first line of a block that is a whole file: its name, and what to know about it.
NAME = r"// (\w+\.swift)(?:[:,].*)?\n"
IMPORT = re.compile(r"^\s*(?:@\w+ )*(?:public |internal )?import (?:\w+ (?=\w))?(\w+).*\n", re.M)
KNOWN = {*modules.LIBRARIES, "Foundation", "FoundationNetworking"}
# Pages whose code is for a build without packages, and the gates that build it. Manifests aren't programs, either.
ELSEWHERE = {"docs/how-to/build-for.md": "embedded-pages", "docs/how-to/vendor.md": "vendoring-pages"}
MANIFEST = re.compile(r"// swift-tools-version|\.(?:package|product)\(")


def blocks_of(page):
  """The blocks of Swift on a page."""
  return re.findall(r"^```swift\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def pages():
  folders = [ROOT / "docs", ROOT / "Benchmarks", modules.SOURCES]
  return [ROOT / "README.md", *(page for folder in folders for page in sorted(folder.rglob("*.md"))
                                if ".build" not in page.parts)]


def blocks():
  """Each page, and each of its blocks of Swift."""
  return ((page, block) for page in pages() for block in blocks_of(page))


def is_ours(code):
  """Whether a program imports only this package and Foundation."""
  return set(IMPORT.findall(code)) <= KNOWN


def main_program(page):
  """The blocks of a page that aren't whole files, one after another. One that declares a name again begins a scope."""
  imports, code, known, depth = {}, "", set(), 0
  for block in blocks_of(page):
    if re.match(NAME, block) or MANIFEST.match(block):
      continue
    imports |= {match[0].strip(): None for match in IMPORT.finditer(block)}
    names = re.findall(r"^(?:let|var) (\w+)", block, re.M)
    if known & set(names):
      code, known, depth = code + "do {\n", set(), depth + 1
    known |= set(names)
    code += IMPORT.sub("", block)
    if depth and names:
      code += f"_ = ({', '.join(names)})\n"
  return "\n".join([*imports, code]) + "}\n" * depth


def programs():
  """Each page, and each program on it: the name of its file, its code, and a file that declares what the page leaves to its reader."""
  for page in pages():
    if str(page.relative_to(ROOT)) in ELSEWHERE:
      continue
    for block in blocks_of(page):
      if named := re.match(NAME, block):
        yield page, named[1], block, []
    code = main_program(page)
    values = CI / "pages" / f"{page.stem}.swift"
    if code.strip():
      yield page, "main.swift", code, [values] if values.exists() else []
