// SPDX-License-Identifier: Apache-2.0
// The problems in the parts of a request. RequestSigning turns them into messages.

/// The reason a request can't be read.
package struct RequestProblem: Swift.Error {
  package let kind: Kind

  /// The offset of the problem in the text.
  package let offset: Int

  /// The index of the header with the problem, or nil if it isn't in a header.
  package private(set) var headerIndex: Int?

  package init(_ kind: Kind, at offset: Int = 0) {
    self.kind = kind
    self.offset = offset
  }

  /// Returns the same problem in a header.
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
