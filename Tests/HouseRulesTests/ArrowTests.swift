// SPDX-License-Identifier: Apache-2.0
// The arrows of the sources, and examples of arrows that point the wrong way.

internal import Testing

@Suite struct ArrowTests {
  @Test("Every module imports only what the table of rooms allows")
  func imports() throws {
    let files = try SourceTree.swiftFiles(in: "Sources")
    let rooms = try SourceTree.folders(in: "Sources")
    #expect(files.count > 20, "the walk through Sources found too little")
    Finding.report(files.flatMap { ArrowRules.imports(of: $0, rooms: rooms) })
  }

  @Test("Every folder of Sources has its place in the table of rooms")
  func folders() throws {
    let folders = try SourceTree.folders(in: "Sources")
    #expect(!folders.isEmpty)
    Finding.report(ArrowRules.folders(folders, try SourceTree.swiftFiles(in: "Sources")))
  }

  @Test("The package depends on no other package")
  func manifest() throws {
    let text = String(decoding: try SourceTree.bytes(of: "Package.swift"), as: UTF8.self)
    Finding.report(ArrowRules.manifest(SourceFile("Package.swift", text)))
  }

  @Test(
    "An import that the table does not allow is found",
    arguments: [
      ("SecureHashing", "import Foundation"),
      ("SecureHashing", "#if canImport(RequestSigning)\npublic import RequestSigning\n#endif"),
      ("SecureHashing", "#if canImport(HardwareKernels)\nimport HardwareKernels\n#endif"),
      ("HardwareKernels", "#if canImport(SecureHashing)\nimport SecureHashing\n#endif"),
      ("RequestSigning", "internal import struct Foundation.Date"),
      ("RequestSigning", "#if canImport(Glibc)\n@preconcurrency import Glibc\n#endif"),
      ("RequestSigning", "public import SecureHashing"),
      ("RequestSigning", "#if !canImport(SecureHashing)\nimport SecureHashing\n#endif"),
      ("RequestSigning", "#if canImport(SecureHashing) || X\nimport SecureHashing\n#endif"),
      ("RequestSigning", "#if canImport(SecureHashing)\n#else\nimport SecureHashing\n#endif"),
      ("RequestSigning", "#if canImport(SecureHashing)\n#endif\nimport SecureHashing"),
      ("RequestSigning", "#if canImport(SecureHashing)\n@testable import SecureHashing\n#endif"),
      ("CredentialProviders", "import MultiRegionSigning"),
      ("CredentialProviders", "let a = 1; import Foundation"),
      ("sigv4", "import Foundation"),
      ("sigv4", "import `Foundation`"),
      ("sigv4", "import Glibc"),
      ("sigv4", "#if canImport(Musl)\nimport Glibc\n#endif"),
    ])
  func forbiddenImports(room: String, text: String) {
    let file = SourceFile("Sources/\(room)/Example.swift", text)
    #expect(ArrowRules.imports(of: file, rooms: Room.all.map(\.name)).count == 1)
  }

  @Test(
    "An import that the table allows is no finding",
    arguments: [
      ("SecureHashing", "// import Foundation"),
      (
        "SecureHashing",
        "#if HardwareAcceleration && canImport(HardwareKernels)\nimport HardwareKernels\n#endif"
      ),
      ("HardwareKernels", "import _Builtin_intrinsics.intel"),
      ("RequestSigning", "#if canImport(SecureHashing)\n  public import SecureHashing\n#endif"),
      ("RequestSigningFoundation", "public import struct Foundation.Date"),
      ("sigv4", "#if canImport(Glibc)\nimport Glibc\n#elseif canImport(Musl)\nimport Musl\n#endif"),
      ("sigv4", "internal import RequestSigning"),
    ])
  func allowedImports(room: String, text: String) {
    let file = SourceFile("Sources/\(room)/Example.swift", text)
    #expect(ArrowRules.imports(of: file, rooms: Room.all.map(\.name)).map(\.advice) == [])
  }

  @Test("An import of a room that is not built yet is found")
  func missingRoom() {
    let file = SourceFile(
      "Sources/SecureHashing/Example.swift",
      "#if HardwareAcceleration && canImport(HardwareKernels)\nimport HardwareKernels\n#endif")
    #expect(ArrowRules.imports(of: file, rooms: ["SecureHashing"]).map(\.line) == [2])
  }

  @Test("A folder without a floor, and a file without a folder, are found")
  func misplaced() {
    let files = [SourceFile("Sources/Loose.swift", ""), SourceFile("Sources/sigv4/A.swift", "")]
    #expect(
      ArrowRules.folders(["Utilities", "sigv4"], files).map(\.path) == [
        "Sources/Utilities", "Sources/Loose.swift",
      ])
  }

  @Test("A package dependency and a binary are found")
  func dependency() {
    let text = "let p = Package(\n  dependencies: [.package(url: u)],\n  x: [.binaryTarget(n)])"
    #expect(ArrowRules.manifest(SourceFile("Package.swift", text)).map(\.line) == [2, 3])
  }
}
