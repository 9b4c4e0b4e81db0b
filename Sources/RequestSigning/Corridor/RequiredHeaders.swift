// SPDX-License-Identifier: Apache-2.0
// The headers that a signature needs and that the request does not have yet.

internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// A header that a signature may need beside those of the request.
  package enum RequiredHeader: Sendable {
    case contentDigest
    case date
    case s3SessionToken
    case securityToken

    /// The name in lowercase.
    package var name: StaticString {
      switch self {
      case .contentDigest: "x-amz-content-sha256"
      case .date: "x-amz-date"
      case .s3SessionToken: "x-amz-s3session-token"
      case .securityToken: "x-amz-security-token"
      }
    }

    /// Whether the value is a credential.
    var isSensitive: Bool {
      switch self {
      case .contentDigest, .date: false
      case .s3SessionToken, .securityToken: true
      }
    }

    /// The next one in the order of the names.
    var next: RequiredHeader? {
      switch self {
      case .contentDigest: .date
      case .date: .s3SessionToken
      case .s3SessionToken: .securityToken
      case .securityToken: nil
      }
    }
  }

  /// The headers that a signature needs beside those of the request, in the order of their names.
  package struct RequiredHeaders: Sendable {
    /// The value of `x-amz-content-sha256`.
    var contentDigest: Payload?

    /// The value of `x-amz-date`.
    var date: Timestamp?

    /// The value of the header that the rule of the service names.
    var token: SymmetricKey?
    var tokenRule = Service.SessionTokenRule.signed

    package init() {}

    /// The first one that is needed.
    var first: RequiredHeader? {
      contains(.contentDigest) ? .contentDigest : next(after: .contentDigest)
    }

    /// The one after another that is needed.
    func next(after header: RequiredHeader) -> RequiredHeader? {
      var next = header.next
      while let candidate = next, !contains(candidate) { next = candidate.next }
      return next
    }

    func contains(_ header: RequiredHeader) -> Bool {
      switch header {
      case .contentDigest: contentDigest != nil
      case .date: date != nil
      case .s3SessionToken, .securityToken: token != nil && header == tokenRule.header
      }
    }

    /// Writes the value of a header; returns where it stands.
    func writeValue(of header: RequiredHeader, to writer: inout ByteWriter) -> Range<Int> {
      let start = writer.count
      switch header {
      case .contentDigest: contentDigest?.write(to: &writer)
      case .date: date?.write(to: &writer)
      case .s3SessionToken, .securityToken:
        // Safety: the token lives as long as the closure runs.
        unsafe token?.withUnsafeBytes { unsafe writer.append($0) }
      }
      return start..<writer.count
    }

    /// Whether a header has this value. A token is compared where it is: no copy of it is made.
    func hasValue(_ given: ArraySlice<UInt8>, for header: RequiredHeader) -> Bool {
      switch header {
      case .contentDigest, .date: return given == value(of: header)[...]
      case .s3SessionToken, .securityToken:
        // Safety: both are read only.
        return unsafe token?.withUnsafeBytes { token in
          unsafe given.withUnsafeBytes { unsafe ConstantTime.equal(token, $0) }
        } ?? false
      }
    }

    /// The value of a header that is no token.
    func value(of header: RequiredHeader) -> [UInt8] {
      var buffer = SigningBuffer()
      let range = buffer.write { writer in _ = writeValue(of: header, to: &writer) }
      return Array(buffer.memory[range])
    }

    mutating func remove(_ header: RequiredHeader) {
      switch header {
      case .contentDigest: contentDigest = nil
      case .date: date = nil
      case .s3SessionToken, .securityToken: token = nil
      }
    }

    /// Where the values were written.
    struct Places: Sendable {
      var contentDigest: Range<Int>?
      var date: Range<Int>?
      var token: Range<Int>?

      subscript(header: RequiredHeader) -> Range<Int>? {
        get {
          switch header {
          case .contentDigest: contentDigest
          case .date: date
          case .s3SessionToken, .securityToken: token
          }
        }
        set {
          switch header {
          case .contentDigest: contentDigest = newValue
          case .date: date = newValue
          case .s3SessionToken, .securityToken: token = newValue
          }
        }
      }
    }
  }
}
