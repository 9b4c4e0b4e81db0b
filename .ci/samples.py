# SPDX-License-Identifier: Apache-2.0
"""The Swift code on the pages that readers copy."""

import re

from support import ROOT
import modules

# The first line of a block that is a whole file: its name, and what to know about it.
NAME = r"// (\w+\.swift)(?::.*)?\n"


def blocks_of(page):
  """The blocks of Swift on a page."""
  return re.findall(r"^```swift\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def blocks():
  """Each page, and each of its blocks of Swift."""
  for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted(modules.SOURCES.rglob("*.docc/*.md"))]:
    for block in blocks_of(page):
      yield page, block


def files():
  """Each page, and each of its blocks that is a whole file."""
  return ((page, block) for page, block in blocks() if re.match(NAME, block))
