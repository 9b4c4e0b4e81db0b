# SPDX-License-Identifier: Apache-2.0
"""Modules type-checked for a system without its SDK: the toolchain's interfaces, compiled for it."""

import platform
import re
import sys
import zipfile

from support import CI, WORK, new_folder, pinned, run, toolchain, without_warnings
import modules

LIBRARY = toolchain().parent / "lib/swift"
INTERFACES = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "_Builtin_float"]
FEATURES = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
            "InferIsolatedConformances", "NonisolatedNonsendingByDefault", "ImmutableWeakCaptures"]
# The settings of Package.swift, and those of its default trait.
COMMON = ["-swift-version", "6", "-package-name", "swift_sigv4", "-strict-memory-safety",
          "-D", "SWIFT_PACKAGE", "-warnings-as-errors",
          *[word for name in FEATURES for word in ["-enable-upcoming-feature", name]]]
KERNELS = ["-D", "HardwareAcceleration", "-D", "CompilerBuiltins",
           "-enable-experimental-feature", "BuiltinModule"]
# Modules whose sources hold one of these are compiled to SIL, which checks what tasks share.
CONCURRENCY = re.compile(r"\b(async|await|Task|sending|@Sendable)\b")


def interface(module, target):
  """The toolchain's own interface, as if it had been printed for this target."""
  name = f"{platform.machine()}-unknown-linux-gnu.swiftinterface"
  path = LIBRARY / f"linux/{module}.swiftmodule" / name
  text = path.read_text(encoding="utf-8")
  text = re.sub(r"-target \S+", f"-target {target} -disable-availability-checking", text, count=1)
  text = re.sub(r"(?m)^(public |@_exported )?import (Swift)?Glibc.*\n", "", text)
  # What only Linux's processors or headers have.
  text = text.replace("_stdlib_remainderl(self, other)", "other")
  text = text.replace("_stdlib_squareRootl(self)", "-self")
  line = ('@inline(never) @_semantics("unavailable_code_reached") internal func '
          "_diagnoseUnavailableCodeReached() -> Swift.Never")
  text = text.replace(
    f"\n{line}", f"\n{line} {{ _diagnoseUnavailableCodeReached_() }}\n@usableFromInline internal "
    "func _diagnoseUnavailableCodeReached_() -> Swift.Never")
  if module == "_Concurrency":
    text = re.sub(r"(?m)^.*backDeployed.*\n", "", text)
  return text


def sdk(name, sources):
  """C headers of ziglang (PyPI), the first of several folders first, with the module map of
  .ci/NAME over those that our sources use."""
  folder = new_folder(f"{name}-sdk")
  run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
      "--no-cache-dir", "--dest", WORK, "--require-hashes", "-r", pinned("ziglang"))
  with zipfile.ZipFile(next(WORK.glob("ziglang-*.whl"))) as wheel:
    for source in sources:
      start = f"ziglang/lib/libc/include/{source}/"
      for each in wheel.namelist():
        path = folder / "usr/include" / each.removeprefix(start)
        if each.startswith(start) and not each.endswith("/") and not path.exists():
          path.parent.mkdir(parents=True, exist_ok=True)
          path.write_bytes(wheel.read(each))
  (folder / "usr/include/module.modulemap").write_text((CI / name / "module.modulemap").read_text())
  (folder / "usr/lib/swift").mkdir(parents=True)
  (folder / "usr/lib/swift/shims").symlink_to(LIBRARY / "shims")
  return folder


class System:
  """A target, the folder of its modules, and the compiler that finds them."""

  def __init__(self, target, settings, sdk=None):
    self.target = target
    self.settings = settings
    self.folder = new_folder(target)
    self.sdk = ["-sdk", sdk] if sdk else []
    interfaces = new_folder(f"{target}-interfaces")
    for module in INTERFACES:
      # A module remembers its interface, which has to stay.
      path = interfaces / f"{module}.swiftinterface"
      path.write_text(interface(module, target), encoding="utf-8")
      parsed = ["-parse-stdlib"] if module == "Swift" else []
      self.frontend("-compile-module-from-interface", path, "-module-name", module, *parsed,
                    "-o", self.folder / f"{module}.swiftmodule")

  def frontend(self, *arguments, status=0):
    return run(
      toolchain() / "swift-frontend", *arguments, "-target", self.target, "-disable-objc-interop",
      "-I", self.folder, "-resource-dir", LIBRARY, *self.sdk, "-module-cache-path",
      self.folder / "cache", "-Xcc", f"-fmodule-map-file={LIBRARY}/shims/module.modulemap",
      folder=self.folder, expect=status)

  def add_stub(self, path, *options):
    """Compiles a file that stands in for a module of the system."""
    self.frontend("-emit-module", "-module-name", path.stem, *options, "-swift-version", "5",
                  "-parse-as-library", "-o", self.folder / f"{path.stem}.swiftmodule", path)

  def check(self, module):
    """Type-checks a module of ours; whether region isolation was checked, too."""
    paths = modules.files(module)
    common = ["-module-name", module, "-parse-as-library", *self.settings, *paths]
    emitted = self.folder / f"{module}.swiftmodule"
    without_warnings(self.frontend("-emit-module", "-o", emitted, *common))
    if not any(CONCURRENCY.search(path.read_text(encoding="utf-8")) for path in paths):
      return False
    without_warnings(self.frontend("-emit-sil", "-o", "/dev/null", *common))
    return True

  def reject(self, name, source):
    """What the compiler says about a source that it has to reject."""
    path = self.folder / f"{name}.swift"
    path.write_text(source)
    return self.frontend("-emit-sil", "-o", "/dev/null", "-module-name", name, "-parse-as-library",
                         *self.settings, path, status=1)
