// SPDX-License-Identifier: Apache-2.0
// What is wrong with the parts of a request. RequestSigning says it in words.

/// Why a request cannot be read.
package struct RequestProblem: Swift.Error {
  package let kind: Kind

  /// Where the problem is, in the text that was read.
  package let offset: Int

  /// In which header it is, of those that were given; nil when it is in none.
  package private(set) var headerIndex: Int?

  package init(_ kind: Kind, at offset: Int = 0) {
    self.kind = kind
    self.offset = offset
  }

  /// The same problem, in a header.
  package func inHeader(_ index: Int) -> RequestProblem {
    var copy = self
    copy.headerIndex = index
    return copy
  }

  package enum Kind: UInt8, Sendable {
    case invalidMethod
    case invalidURL
    case tooLarge

    case emptyHost
    case unclosedBracket
    case textBehindBracket
    case invalidIPv6Address
    case nonASCIIHost
    case invalidHostCharacter
    case emptyHostLabel
    case invalidPort
    case conflictingHost

    case relativePath
    case invalidPathCharacter
    case invalidQueryCharacter
    case strayPercentInPath
    case strayPercentInQuery

    case invalidHeaderName
    case controlCharacterInHeader
    case nonASCIIHeader
  }
}
