# SPDX-License-Identifier: Apache-2.0
"""What the gates that are written in Python have in common."""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
CI = ROOT / ".ci"
NAME = Path(sys.argv[0]).name
# A folder for what a gate makes, gone when it ends.
_FOLDER = tempfile.TemporaryDirectory()
WORK = Path(_FOLDER.name)

# The signature of "GET Object" in the Amazon S3 API Reference, "Authenticating Requests: Using the
# Authorization Header (AWS Signature Version 4)".
PUBLISHED = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
# The example of one block beside FIPS 180-4, twice, test case 2 of RFC 4231, and the check value of
# ISO 3309's CRC-32 (cbf43926).
HASHING = [
  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "true",
  "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843", "y/Q5Jg=="]
# A user's build has warnings as warnings, since a newer compiler has more of them.
STRICT = ["-Xswiftc", "-warnings-as-errors"]


def refuse(*words, sep=" "):
  sys.exit(f"{NAME}: {sep.join(str(word) for word in words)}")


def run(*command, folder=ROOT, expect=0, **environment):
  """What a command prints, on both channels; it has to end with the expected status."""
  done = subprocess.run(
    [str(word) for word in command], cwd=folder, env=os.environ | environment, text=True,
    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
  if done.returncode != expect:
    print(telling(done.stdout))
    refuse(f"status {done.returncode}, expected {expect}:", *command)
  return done.stdout


def numbers(*defaults):
  """The numbers among the arguments of the script, or these where there are fewer arguments."""
  given = [int(word) for word in sys.argv[1:]]
  return [*given, *defaults[len(given):]]


def answers(program, lines):
  """What a program that is a filter prints for each line."""
  done = subprocess.run(
    [program], input="".join(line + "\n" for line in lines), stdout=subprocess.PIPE, text=True, check=True)
  found = done.stdout.split("\n")[:-1]
  if len(found) != len(lines):
    refuse(f"{len(found)} answers to {len(lines)} lines")
  return found


def peer(name, *products):
  """The filter `.ci/NAME.swift`, which answers a line of words with a line."""
  return build_program(CI / f"{name}.swift", [*products, "SecureHashing"], others=[CI / "PeerLines.swift"])


def line(*values):
  """A line for a peer: each value in hexadecimal digits after an `x`, and `-` for None."""
  return " ".join(
    "-" if value is None else "x" + (value if isinstance(value, bytes) else str(value).encode()).hex()
    for value in values)


def values(text):
  """What a line for a peer contains, as text."""
  return [None if word == "-" else bytes.fromhex(word[1:]).decode() for word in text.split(" ")]


def pinned(*packages, file="requirements.txt"):
  """A file of these packages of PyPI and of those that they need, with versions and hashes."""
  blocks = re.split(r"(?m)^(?=[a-z])", (CI / file).read_text(encoding="utf-8"))[1:]
  chosen = {}
  while len(packages) > len(chosen):
    chosen = {name: block for block in blocks for name in [block.split("==")[0]] if name in packages}
    if missing := set(packages) - set(chosen):
      refuse(f"{file} has no", *missing)
    packages = {*packages, *(
      block.split("==")[0] for block in blocks
      if set(re.findall(r"[\w-]+", block.partition("# via ")[2])) & set(packages))}
  text = WORK / "requirements.txt"
  text.write_text("".join(chosen.values()), encoding="utf-8")
  return text


def compiled(name, code, *options):
  """What the compiler says about a file of Swift 6, with the modules of `swift build`, which has to run first. SIL shows
  what tasks share, which type-checking doesn't."""
  file = Path(tempfile.mkdtemp(dir=WORK)) / name
  file.write_text(code, encoding="utf-8")
  done = subprocess.run(
    ["swiftc", "-emit-sil", "-o", "/dev/null", "-wmo", "-swift-version", "6", *options,
     "-I", ROOT / ".build/debug/Modules", file],
    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
  if "no such module" in done.stdout:
    refuse("run swift build first:", done.stdout)
  return done


def one_file(chosen, folder=ROOT, **environment):
  """What `swift package one-file` prints for these modules."""
  return subprocess.run(
    ["swift", "package", "one-file", *chosen], cwd=folder, env=os.environ | environment,
    check=True, stdout=subprocess.PIPE).stdout


def telling(output):
  """The lines of an output that say what failed, or its end."""
  lines = re.findall(r"(?m)^(?:[✘↳].*|.*(?:error:|SUMMARY: |WARNING: ).*)$", output)
  return "\n".join(lines) or output[-10_000:]


def without_warnings(output):
  """The linker's notes about the address sanitizer's own symbols are not about our sources."""
  lines = [line for line in output.splitlines() if re.search(r"(^|: )warning: ", line)
           and "Cannot export local symbol '__asan_" not in line]
  if lines:
    refuse("there are warnings:", *lines)
  return output


def test(*options, **environment):
  """Runs `swift test`: no warning, no failure, and tests that really ran. Says which kernels did not."""
  done = subprocess.run(
    [str(word) for word in ["swift", "test", *STRICT, *options]], cwd=ROOT, text=True,
    env=os.environ | environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
    stderr=subprocess.STDOUT, errors="replace", check=False)
  if done.returncode:
    print(telling(done.stdout))
    refuse("swift test", *options, f"ended with status {done.returncode}")
  summary = re.findall(r"Test run with [1-9]\d* tests? .*passed.*", without_warnings(done.stdout))
  if not summary:
    refuse("Swift Testing's summary is missing:", done.stdout[-2_000:])
  kernels = re.findall(r"(?m)^SHA-256 was tested as .*", done.stdout)
  print(*summary[-1:], *kernels[-1:])


def build_program(source, products, traits="", options=(), others=()):
  """A source, and others beside it, as the program of a user's package that depends on products of this one."""
  name = source.stem
  folder = new_folder(name)
  (folder / f"Sources/{name}").mkdir(parents=True)
  (folder / f"Sources/{name}/main.swift").write_text(source.read_text())
  for other in others:
    (folder / f"Sources/{name}/{other.name}").write_text(other.read_text())
  (folder / "Package.swift").write_text(f"""// swift-tools-version: 6.1
import PackageDescription

let products = {json.dumps(products)}
let package = Package(
  name: "{name}",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-sigv4", path: "{ROOT}"{traits})],
  targets: [
    .executableTarget(
      name: "{name}",
      dependencies: products.map {{ .product(name: $0, package: "swift-sigv4") }})
  ]
)
""")
  without_warnings(run("swift", "build", "-c", "release", *STRICT, *options, "--package-path", folder))
  return folder / ".build/release" / name


def swiftc(*arguments, folder=WORK):
  return without_warnings(run("swiftc", *arguments, folder=folder))


def kernel_flags():
  """By module, what the manifest tells the compiler beyond the settings of every target."""
  manifest = json.loads(run("swift", "package", "dump-package"))
  flags = {}
  for target in manifest["targets"]:
    kinds = [each["kind"] for each in target["settings"] if "condition" not in each]
    flags[target["name"]] = [
      flag for kind in kinds for flag in kind.get("unsafeFlags", {}).get("_0", [])]
  return flags


def expect_signature(program):
  output = run(program).strip()
  if output != PUBLISHED:
    refuse(f"{program} prints '{output}', not '{PUBLISHED}'")


def expect_hashing(program, implementation="portable"):
  output = run(program).split("\n")
  if output != HASHING + [implementation, ""]:
    refuse(f"{program} prints {output}")


def hardware_implementation():
  """The implementation that this machine has, when the trait is on."""
  flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
  names = {"sha_ni": "x86-sha", "avx512vl": "x86-avx512vl", "avx2": "x86-avx2"}
  if platform.machine() == "aarch64":
    names = {"sha2": "arm-sha2"}
  return next((name for flag, name in names.items() if flag in flags), "vectors")


def toolchain():
  """The folder of the compiler's own tools."""
  return Path(shutil.which("swiftc")).resolve().parent


def new_folder(name):
  folder = WORK / name
  shutil.rmtree(folder, ignore_errors=True)
  folder.mkdir(parents=True)
  return folder


def install_if_missing(**packages):
  """Debian's packages, each by the command that it brings (with _ in place of -), where CI is set."""
  missing = [package for command, package in packages.items()
             if not shutil.which(command.replace("_", "-"))]
  if missing and not os.environ.get("CI"):
    refuse("commands are missing. Install these packages of Debian, or let root run .ci/gates --install:", *missing)
  if missing:
    run("apt-get", "update", "-q")
    run("apt-get", "install", "-qy", "--no-install-recommends", *missing,
        DEBIAN_FRONTEND="noninteractive")
