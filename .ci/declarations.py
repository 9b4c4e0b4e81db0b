# SPDX-License-Identifier: Apache-2.0
"""The public declarations of the libraries, from the symbol graphs of the modules that `swift build` made, and the
types that no sample uses.
"""

import json
import re

from support import CI, ROOT, new_folder, run, toolchain
import modules
import samples

TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.actor"}
# What every type that can be copied has.
IMPLIED = {"Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"}


def text_of(fragments):
  return "".join(each["spelling"] for each in fragments)


def graphs():
  """For each library, its symbols and how they belong together."""
  place = new_folder("declarations")
  built = run("swift", "build", "--show-bin-path").rstrip().rsplit("\n", 1)[-1]
  triple = json.loads(run("swiftc", "-print-target-info"))["target"]["triple"]
  for name in modules.LIBRARIES:
    run(toolchain() / "swift-symbolgraph-extract", "-module-name", name, "-I", f"{built}/Modules",
        "-target", triple, "-minimum-access-level", "public", "-skip-synthesized-members",
        "-output-dir", place)
    symbols, relations = [], []
    for path in [place / f"{name}.symbols.json", *sorted(place.glob(f"{name}@*.symbols.json"))]:
      graph = json.loads(path.read_text(encoding="utf-8"))
      symbols += graph["symbols"]
      relations += graph["relationships"]
    yield name, [each for each in symbols if each["kind"]["identifier"] != "swift.extension"], relations


class Face:
  """The public declarations: a line for each, and the types among them."""

  def __init__(self):
    self.lines, self.types, self.members = [], {}, []
    found_graphs = list(graphs())
    names = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"])
             for _, symbols, _ in found_graphs for symbol in symbols}
    for module, symbols, relations in found_graphs:
      conformances = {}
      for relation in relations:
        target = relation.get("targetFallback") or names.get(relation["target"], "")
        if relation["kind"] == "conformsTo" and target and target not in IMPLIED:
          conformances.setdefault(relation["source"], set()).add(target.removeprefix("Swift."))
      own = set()
      for symbol in symbols:
        precise, path = symbol["identifier"]["precise"], symbol["pathComponents"]
        text = re.sub(r"\s+", " ", text_of(symbol["declarationFragments"]))
        if symbol["kind"]["identifier"] in TYPES:
          self.types[precise] = (module, ".".join(path))
        if symbol["kind"]["identifier"] in TYPES - {"swift.protocol"}:
          text = re.sub(r"( where .*)?$", lambda match: "".join(
            f" : {', '.join(sorted(found))}" for found in [conformances.get(precise, set())] if found) + match[0],
            text, count=1)
        if precise not in self.types:
          self.members.append(symbol)
        own.add(" ".join(filter(None, [f"{module}:", ".".join(path[:-1]), text])))
      self.lines += sorted(own)

  def text(self):
    return "\n".join(self.lines) + "\n"


# ---------------------------------------------------------------------------------------- samples

def code_of(text):
  """Swift without comments and what strings say; interpolations stay."""
  text = re.sub(r"//[^\n]*", "", text)
  return re.sub(r'"(?:[^"\\\n]|\\[^(])*"', '""', text)


def shown():
  """The code that readers copy, all of which a gate compiles: example programs, and the pages' code."""
  programs = [*(CI / "example").glob("*.swift"), *(ROOT / "Tests/EmbeddedExamples").glob("*.swift"),
              *(ROOT / "docs/browser").glob("*.swift"), CI / "PublishedExample.swift"]
  texts = [path.read_text(encoding="utf-8") for path in programs] + [block for _, block in samples.blocks()]
  return code_of("\n".join(texts))


def unused(face):
  """The types that no sample uses: none names them, and none calls a declaration that returns them, on a type that
  is used."""
  code = shown()
  named = set(re.findall(r"\b[A-Z]\w*", code))
  called = set(re.findall(r"\.([a-z]\w*)", code))
  used = {precise for precise, (_, name) in face.types.items() if name.split(".")[-1] in named}
  paths = {name: precise for precise, (_, name) in face.types.items()}
  while True:
    found = set(used)
    for symbol in face.members:
      path = symbol["pathComponents"]
      owner = paths.get(".".join(path[:-1]))
      base = re.match(r"\w*", path[-1])[0]
      fragments = symbol.get("functionSignature", {}).get("returns") or symbol["declarationFragments"]
      # An implicit member, such as `.dualStack`, names no type.
      is_implicit = owner in {each.get("preciseIdentifier") for each in fragments}
      if base not in called and base != "init" or owner and owner not in used and not is_implicit:
        continue
      found |= {each.get("preciseIdentifier") for each in fragments} & face.types.keys()
    if found == used:
      return sorted(face.types[each] for each in face.types.keys() - used)
    used = found
