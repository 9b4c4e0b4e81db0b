// SPDX-License-Identifier: Apache-2.0
// What FoundationNetworking does differently from URLSession on Apple platforms.

internal import Foundation
internal import RequestSigning

#if canImport(FoundationNetworking)
  extension Exchange {
    /// Whether to limit the exchange to a connection slot. FoundationNetworking opens any number of
    /// connections.
    var needsSlot: Bool { true }
  }

  extension URLProtectionSpace {
    /// Whether the server requires authentication, not a proxy or TLS.
    var isForPasswords: Bool { true }
  }

  extension EnvironmentProxy {
    /// Whether URLSession uses the environment's proxies, whatever its configuration is.
    static let isUsed = true
  }

  extension URLError {
    // FoundationNetworking, MultiHandle.swift, urlErrorCode(for:): `badServerResponse` is a
    // connection that closed before the response. `unknown` is one that closed during the request
    // or the response, and all errors without a specific code.
    static let lostConnections: [Code] = [
      .networkConnectionLost, .cannotConnectToHost, .timedOut, .badServerResponse, .unknown,
    ]
  }

  extension URLSessionTask {
    /// Returns the cause of the task's error, or the error itself.
    func cause(of error: any Error) -> any Error {
      (response as? HTTPURLResponse)?.decodingFailure(error) ?? error
    }
  }

  extension HTTPURLResponse {
    /// The cause of an error, if libcurl can't decode the body. It decodes every body, and knows
    /// only these codings (curl's lib/content_encoding.c).
    fileprivate func decodingFailure(_ error: any Error) -> TransferError? {
      let known = ["identity", "none", "gzip", "x-gzip", "deflate", "br", "zstd"]
      guard isSuccess, (error as? URLError)?.code == .unknown,
        let coding = contentCodings.first(where: { !known.contains($0) })
      else { return nil }
      return TransferError(
        .invalidResponse,
        "The response has the Content-Encoding \(UTF8Text.quoted(coding.utf8, upTo: 40)), and "
          + "FoundationNetworking can't read such a body.",
        fix: (coding == "aws-chunked"
          ? "The store should have removed it after the upload. Upload the object again without "
            + "chunks, or create" : "Create") + " the session with a different HTTP client.",
        status: statusCode)
    }
  }

  extension URL {
    /// Does nothing. Only Apple's systems encrypt files while the device is locked, and back up.
    func keepReadableAndOutOfBackups() throws {}
  }

  /// Calls a closure. Only Objective-C has autorelease pools.
  func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
  }
#else
  extension Exchange {
    /// Whether to limit the exchange to a connection slot. URLSession limits its connections
    /// itself, but not the open files.
    var needsSlot: Bool { opensFile }
  }

  extension URLProtectionSpace {
    /// Whether the server requires authentication, not a proxy or TLS.
    var isForPasswords: Bool {
      ![NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate]
        .contains(authenticationMethod) && !isProxy()
    }
  }

  extension EnvironmentProxy {
    /// Whether URLSession uses the environment's proxies, whatever its configuration is.
    static let isUsed = false
  }

  extension URLError {
    static let lostConnections: [Code] = [
      .networkConnectionLost, .cannotConnectToHost, .timedOut,
    ]
  }

  extension URLSessionTask {
    /// Returns the cause of the task's error, or the error itself.
    func cause(of error: any Error) -> any Error { error }
  }

  extension URL {
    /// Keeps a file readable while the device is locked, which a transfer in the background needs,
    /// and excludes it from backups, because another device can't continue the transfer.
    func keepReadableAndOutOfBackups() throws {
      #if !os(macOS)
        try FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
          ofItemAtPath: path)
      #endif
      var file = self
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try file.setResourceValues(values)
    }
  }

  extension URLRequest {
    /// Does nothing, because URLSession sends a stream with its Content-Length.
    mutating func boundStream() {}
  }
#endif
