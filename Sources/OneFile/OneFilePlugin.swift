// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// `swift package one-file MODULE...` prints the modules and their dependencies as one Swift file,
/// or with `--list` their names. Works in this package and in any package that depends on it
/// (docs/how-to/vendor.md).
@main
struct OneFilePlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var arguments = ArgumentExtractor(arguments)
    let isList = arguments.extractFlag(named: "list") > 0
    let withKernels = arguments.extractFlag(named: "kernels") > 0
    let modules = try Modules(of: context.package)
    if let unknown = arguments.unextractedOptionsOrFlags.first {
      throw Failure("There is no option \(unknown).\n\(usage)")
    }
    guard isList || !withKernels else {
      throw Failure(
        "Use --kernels only with --list. The kernels can't be in one file with other modules.")
    }
    let names = arguments.remainingArguments
    try modules.check(names, forOneFile: !isList)
    let needed = modules.below(names, withKernels: withKernels)
    if isList {
      print(needed.joined(separator: "\n"))
    } else {
      let file = try OneFile(needed, of: modules)
      print(try file.text(workFolder: context.pluginWorkDirectoryURL), terminator: "")
    }
  }
}

let usage = """
  usage:
    swift package one-file MODULE... > FILE.swift
    swift package one-file --list [--kernels] MODULE...
  --list prints the directories in Sources that MODULE needs, lower layers first.
  --kernels adds the directories for the processor's SHA instructions.
  """

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
