// SPDX-License-Identifier: Apache-2.0
// The HTTP method of a presigned URL.

public import RequestSigning

extension SigV4 {
  /// The HTTP method of a presigned URL: `.put`, or a string literal.
  public struct HTTPMethod: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name, such as `PUT`.
    public let rawValue: String

    /// Creates a method from its name. Names are case-sensitive.
    public init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a method from its name.
    public init(stringLiteral value: String) {
      self.init(value)
    }

    /// `GET`, for downloads.
    public static let get: HTTPMethod = "GET"
    /// `PUT`, for uploads.
    public static let put: HTTPMethod = "PUT"
    /// `HEAD`, for the metadata of an object.
    public static let head: HTTPMethod = "HEAD"
    /// `POST`.
    public static let post: HTTPMethod = "POST"
    /// `DELETE`.
    public static let delete: HTTPMethod = "DELETE"
    /// `PATCH`.
    public static let patch: HTTPMethod = "PATCH"
  }
}
