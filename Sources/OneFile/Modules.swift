// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// The modules of swift-sigv4 and their dependencies, from its manifest.
struct Modules {
  /// Modules that call the operating system: their imports depend on the platform.
  static let ofSystems: Set = ["POSIXCredentialSources", "RequestSigningFoundation", "sigv4"]

  let package: Package
  private let targets: [String: any SourceModuleTarget]

  /// Finds swift-sigv4: it is the package that runs the plugin, or one of its dependencies.
  init(of root: Package) throws {
    var packages = [root]
    while let last = packages.last, last.displayName != "swift-sigv4" {
      packages.removeLast()
      packages += last.dependencies.map(\.package)
    }
    guard let found = packages.last else {
      throw Failure(
        "\(root.displayName) doesn't depend on swift-sigv4. Add it to the package's dependencies."
      )
    }
    package = found
    let sources = found.directoryURL.appending(path: "Sources").path
    targets = Dictionary(
      uniqueKeysWithValues: found.targets.compactMap { $0 as? any SourceModuleTarget }
        .filter { $0.directoryURL.path.hasPrefix(sources + "/") }.map { ($0.name, $0) })
  }

  /// Throws if a name isn't a module, or if one file is requested and the module can't be in it.
  func check(_ names: [String], forOneFile: Bool) throws {
    let known = targets.keys.filter { !forOneFile || canBeOneFile($0) }.sorted().joined(
      separator: ", ")
    guard !names.isEmpty else { throw Failure("\(usage)\nmodules: \(known)") }
    for name in names where targets[name] == nil {
      throw Failure("There is no module \(name). Use \(known).")
    }
    for name in names where forOneFile && !canBeOneFile(name) {
      throw Failure(
        Self.isKernel(name)
          ? "\(name) needs its own compiler flags, so it can't share a file with other modules. "
            + "See docs/how-to/vendor.md."
          : "\(name) calls the operating system, so it can't be one file. Copy the directories "
            + "from 'swift package one-file --list \(name)' instead.")
    }
  }

  /// The modules and all their dependencies, lower layers first.
  func below(_ names: [String], withKernels: Bool) -> [String] {
    var order: [String] = []
    for name in names.sorted() {
      let imported = (targets[name]?.dependencies ?? []).compactMap { dependency in
        if case .target(let target) = dependency { target.name } else { nil }
      }
      let needed = imported.filter { withKernels || !Self.isKernel($0) }
      order += below(needed, withKernels: withKernels) + [name]
    }
    var seen: Set<String> = []
    return order.filter { seen.insert($0).inserted }
  }

  /// The module's files sorted by path, with the top level of its directory first.
  func files(of name: String) -> [URL] {
    guard let target = targets[name] else { return [] }
    let folder = target.directoryURL.path
    return target.sourceFiles(withSuffix: "swift").map(\.url)
      .sorted { left, right in
        let paths = [left, right].map { $0.path.dropFirst(folder.count) }
        let depths = paths.map { $0.count { $0 == "/" } }
        return depths[0] != depths[1]
          ? depths[0] < depths[1] : paths[0].utf8.lexicographicallyPrecedes(paths[1].utf8)
      }
  }

  /// The path of a file below `Sources`.
  func path(of file: URL) -> String {
    String(file.path.dropFirst(package.directoryURL.appending(path: "Sources").path.count + 1))
  }

  private func canBeOneFile(_ name: String) -> Bool {
    !Self.ofSystems.contains(name) && !Self.isKernel(name)
  }

  /// Whether the module is an optional one that needs its own compiler flags.
  private static func isKernel(_ name: String) -> Bool {
    name.hasSuffix("Kernels")
  }
}
