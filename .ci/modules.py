#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The modules of Sources and what they import, read from the sources themselves.

As a command: `modules.py MODULE...` prints the files of these modules and of all that they import,
lower layers first, and `modules.py --package-name` the name of the package that `.build` has for release. For users there is `swift package one-file --list`.
"""

import re
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "Sources"
WITH_SYSTEM = ["POSIXCredentialSources", "RequestSigningFoundation", "sigv4"]
# OneFile is a plugin: SwiftPM runs it on the developer's machine, and no target links it.
NAMES = sorted(path.name for path in SOURCES.iterdir() if path.is_dir() and path.name != "OneFile")
# No products: shared code, kernels, and the program.
LIBRARIES = [name for name in NAMES if not name.endswith(("Kernels", "Support")) and name != "sigv4"]
# An import inside of a condition is one of an optional module, as the kernels are.
IMPORT = re.compile(r"^( *)(?:@?\w+ )*import (\w+)", re.M)


def version():
  """The version of the library."""
  text = (SOURCES / "RequestSigning/LibraryVersion.swift").read_text(encoding="utf-8")
  return re.search(r'"([\d.]+)"', text)[1]


def files(module):
  """A module's files, those at the top of its folder first, in the order of their bytes."""
  folder = SOURCES / module
  paths = [path.relative_to(folder).as_posix() for path in folder.rglob("*.swift")]
  return [folder / path for path in sorted(paths, key=lambda path: (path.count("/"), path))]


def imported(module, kernels=False):
  """The modules of ours that a module imports; with the optional ones when asked for."""
  texts = [path.read_text(encoding="utf-8") for path in files(module)]
  found = {match[2] for text in texts for match in IMPORT.finditer(text) if kernels or not match[1]}
  return [name for name in NAMES if name in found and name != module]


def below(chosen, kernels=False):
  """These modules and all that they import, lower layers first."""
  order = []
  for module in sorted(chosen):
    order += below(imported(module, kernels), kernels) + [module]
  return list(dict.fromkeys(order))


def package_name(build, configuration="release"):
  """SwiftPM names the package after its folder."""
  return re.search(r'"-package-name","(\w+)"', (build / f"{configuration}.yaml").read_text(encoding="utf-8"))[1]


def core():
  """The modules that know no system: no clock, no file, no C library and no Foundation."""
  return [name for name in NAMES if name not in WITH_SYSTEM]


if __name__ == "__main__":
  if sys.argv[1:] == ["--package-name"]:
    sys.exit(print(package_name(SOURCES.parent / ".build")))
  if not sys.argv[1:] or not set(sys.argv[1:]) <= set(NAMES):
    sys.exit(f"usage: modules.py MODULE..., of {' '.join(NAMES)}")
  for name in below(sys.argv[1:], kernels=True):
    print(*files(name), sep="\n")
