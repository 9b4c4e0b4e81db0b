// SPDX-License-Identifier: Apache-2.0
// Two canonical queries that differ, and what usually makes them so.

internal import DocumentSupport
internal import RequestSigning
internal import SigningSupport

extension SigV4.Mismatch {
  /// Our canonical query and the server's, which differ.
  struct QueryComparison {
    let ours: ArraySlice<UInt8>
    let theirs: ArraySlice<UInt8>
    let redaction: Redaction

    func cause() -> Cause {
      let (onlyOurs, onlyTheirs) = Self.difference(Self.parameters(ours), Self.parameters(theirs))
      guard let missing = onlyOurs.first else {
        guard let added = onlyTheirs.first else { return .queryOrder }
        return .queryParameterAdded(redaction.name(name(added)))
      }
      let spelling = Spelling(missing)
      for other in onlyTheirs {
        if let cause = spelling.cause(Spelling(other)) { return cause }
      }
      let subject = redaction.name(name(missing))
      if onlyTheirs.contains(where: { name($0).elementsEqual(name(missing)) }) {
        return .queryParameterChanged(subject)
      }
      return .queryParameterMissing(subject)
    }

    private func name(_ parameter: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      parameter.prefix { $0 != ASCIIByte.equals }
    }

    private static func parameters(_ query: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
      query.split(separator: ASCIIByte.ampersand, omittingEmptySubsequences: true)
        .sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// What only one of two sorted lists has.
    private static func difference(
      _ left: [ArraySlice<UInt8>], _ right: [ArraySlice<UInt8>]
    ) -> (left: [ArraySlice<UInt8>], right: [ArraySlice<UInt8>]) {
      var only: (left: [ArraySlice<UInt8>], right: [ArraySlice<UInt8>]) = ([], [])
      var (lefts, rights) = (left[...], right[...])
      while let left = lefts.first, let right = rights.first {
        if left.elementsEqual(right) {
          lefts = lefts.dropFirst()
          rights = rights.dropFirst()
        } else if left.lexicographicallyPrecedes(right) {
          only.left.append(left)
          lefts = lefts.dropFirst()
        } else {
          only.right.append(right)
          rights = rights.dropFirst()
        }
      }
      return (only.left + lefts, only.right + rights)
    }
  }

  /// A parameter as it is written, and what it may mean.
  struct Spelling {
    let written: ArraySlice<UInt8>
    let decoded: [UInt8]
    let decodedTwice: [UInt8]

    init(_ parameter: ArraySlice<UInt8>) {
      written = parameter
      decoded = URIEncoding.decode(parameter)
      decodedTwice = URIEncoding.decode(decoded[...])
    }

    /// Why two parameters that mean the same are written in two ways; nil when they mean others.
    func cause(_ other: Spelling) -> Cause? {
      if decoded == other.decoded, ASCIIByte.equalIgnoringCase(written, other.written) {
        return .queryHexadecimalCase
      }
      if decodedTwice == other.decodedTwice { return .queryEncoding }
      let isEqual = decodedTwice.elementsEqual(other.decodedTwice) {
        Self.spaced($0) == Self.spaced($1)
      }
      return isEqual ? .queryPlus : nil
    }

    private static func spaced(_ byte: UInt8) -> UInt8 {
      byte == ASCIIByte.plus ? ASCIIByte.space : byte
    }
  }
}

extension SigV4.Mismatch.Cause {
  static func queryParameterMissing(_ name: String) -> Self {
    Self(
      .queryParameterMissing, subject: name,
      "the query parameter \(name) was signed and did not arrive",
      advice: "Send exactly the URL that was signed, and look for a client, proxy or cache that "
        + "drops parameters or joins repeated ones")
  }

  static func queryParameterAdded(_ name: String) -> Self {
    Self(
      .queryParameterAdded, subject: name, "the query parameter \(name) arrived and was not signed",
      advice:
        "Sign the URL with all its parameters: nothing can be added after it was signed. When "
        + "it begins with X-Amz-, the request came by a presigned URL: compare with that")
  }

  static func queryParameterChanged(_ name: String) -> Self {
    Self(
      .queryParameterChanged, subject: name,
      "the query parameter \(name) arrived with another value",
      advice:
        "Send exactly the URL that was signed, and look for something on the way that rewrites "
        + "the parameter")
  }

  static var queryOrder: Self {
    Self(
      .queryOrder, "the same query parameters stand in another order",
      advice: "The canonical order is that of the encoded bytes, names first: one side sorts in "
        + "another way, so avoid repeated names and escapes in names, and report it to the server")
  }

  static var queryPlus: Self {
    Self(
      .queryPlus, "one side takes a '+' in the query for a space",
      advice: "Send a space as %20 and a plus sign as %2B; when a '+' of the URL is meant as such, "
        + "say plus: .literal, and send exactly the URL that was signed")
  }

  static var queryHexadecimalCase: Self {
    Self(
      .queryHexadecimalCase, "the escapes of the query have digits of another case",
      advice: "Send exactly the URL that was signed, whose escapes are uppercase, and look for "
        + "something on the way that encodes it again")
  }

  static var queryEncoding: Self {
    Self(
      .queryEncoding, "the queries mean the same and are spelled with other escapes",
      advice:
        "Send exactly the URL that was signed: something between signer and server decodes or "
        + "encodes it again, or it was encoded before it was given to be encoded")
  }
}
