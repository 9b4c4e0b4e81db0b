// SPDX-License-Identifier: Apache-2.0
// What stands at the top of the sources, and examples of what must not.

internal import Testing

@Suite struct DeclarationTests {
  @Test("All that stands at the top of a core file is nonisolated")
  func isolation() throws {
    Finding.report(try SourceTree.swiftFiles(in: "Sources").flatMap(DeclarationRules.isolation))
  }

  @Test("The core declares only the names of its budget at the top")
  func names() throws {
    let files = try SourceTree.swiftFiles(in: "Sources")
    let names = files.filter(\.isCore).flatMap(TopLevelDeclaration.all).map(\.name)
    #expect(names.contains("SHA256"), "the reader of declarations finds nothing")
    Finding.report(files.flatMap(DeclarationRules.names))
  }

  @Test("Nothing private stands at the top of a file")
  func privateNames() throws {
    Finding.report(try SourceTree.swiftFiles(in: "Sources").flatMap(DeclarationRules.privateNames))
  }

  static let example = """
    public import struct Foundation.Date
    public nonisolated struct SHA256: A {
      struct Inside { let a = [1] }
    }
    public struct Signer {}
    extension SHA256 {
      enum Nested {}
    }
    @inlinable
    public nonisolated func helper(let x: Int) {}
    nonisolated fileprivate let table = [1]
    #if !hasFeature(Embedded)
      private extension SHA256 { func f() {} }
    #endif
    nonisolated protocol HashFunction: AnyObject {}
    """

  @Test("Declarations at the top are read, nested ones are not")
  func declarations() {
    let file = SourceFile("Sources/SecureHashing/A.swift", Self.example)
    #expect(
      TopLevelDeclaration.all(in: file).map { "\($0.line) \($0.keyword) \($0.name)" } == [
        "2 struct SHA256", "5 struct Signer", "6 extension SHA256", "10 func helper",
        "11 let table", "13 extension SHA256", "15 protocol HashFunction",
      ])
  }

  @Test("A declaration of the core that is not nonisolated is found")
  func badIsolation() {
    let core = SourceFile("Sources/SecureHashing/A.swift", Self.example)
    #expect(DeclarationRules.isolation(core).map(\.line) == [5, 6, 13])
    let other = SourceFile("Sources/CredentialProviders/A.swift", Self.example)
    #expect(DeclarationRules.isolation(other).isEmpty)
  }

  @Test("A name of the core outside of the budget is found")
  func badNames() {
    let core = SourceFile("Sources/SecureHashing/A.swift", Self.example)
    #expect(DeclarationRules.names(core).map(\.line) == [5, 10, 11])
    let other = SourceFile("Sources/sigv4/A.swift", Self.example)
    #expect(DeclarationRules.names(other).isEmpty)
  }

  @Test("A private name at the top is found")
  func badPrivateNames() {
    let file = SourceFile("Sources/sigv4/A.swift", Self.example)
    #expect(DeclarationRules.privateNames(file).map(\.line) == [11, 13])
  }
}
