// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// The modules of swift-sigv4 and what they import, as its manifest says.
struct Modules {
  /// They call the system, so each file imports what its platform has.
  static let ofSystems: Set = ["POSIXCredentialSources", "RequestSigningFoundation", "sigv4"]

  let package: Package
  private let targets: [String: any SourceModuleTarget]

  /// The plugin runs in this package, or in one that depends on it.
  init(of root: Package) throws {
    var packages = [root]
    while let last = packages.last, last.displayName != "swift-sigv4" {
      packages.removeLast()
      packages += last.dependencies.map(\.package)
    }
    guard let found = packages.last else {
      throw Failure("\(root.displayName) does not depend on swift-sigv4")
    }
    package = found
    let sources = found.directoryURL.appending(path: "Sources").path
    targets = Dictionary(
      uniqueKeysWithValues: found.targets.compactMap { $0 as? any SourceModuleTarget }
        .filter { $0.directoryURL.path.hasPrefix(sources + "/") }.map { ($0.name, $0) })
  }

  /// Refuses names that are no modules, and modules that cannot be one file where one is asked for.
  func check(_ names: [String], forOneFile: Bool) throws {
    let known = targets.keys.filter { !forOneFile || canBeOneFile($0) }.sorted().joined(
      separator: ", ")
    guard !names.isEmpty else { throw Failure("\(usage)\nmodules: \(known)") }
    for name in names where targets[name] == nil {
      throw Failure("there is no module \(name); there are \(known)")
    }
    for name in names where forOneFile && !canBeOneFile(name) {
      throw Failure(
        Self.isKernel(name)
          ? "\(name) is compiled with flags of its own, so it cannot be in one file with others. "
            + "See docs/how-to/vendor-hardware-kernels.md"
          : "\(name) calls the system, so it cannot be one file. Copy its folders instead: "
            + "swift package one-file --list \(name)")
    }
  }

  /// These modules and all that they import, lower layers first.
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

  /// A module's files, those at the top of its folder first, in the order of their bytes.
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

  /// A module that is imported where the build has it: it needs compiler flags of its own.
  private static func isKernel(_ name: String) -> Bool {
    name.hasSuffix("Kernels")
  }
}
