// SPDX-License-Identifier: Apache-2.0
// The credential sources of this process, from the C library: without Foundation or TLS.

@_exported public import CredentialProviders
public import RequestSigning

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Sources from the C library.
extension CredentialSources {
  /// The sources of this process, from the C library: environment, files, commands, clock, and HTTP
  /// without TLS to this machine and its link.
  ///
  ///     let provider = SigV4.CredentialProvider.default(sources: .posix)
  ///
  /// Environment variables, profiles, commands, containers (Amazon ECS, EKS Pod Identity) and
  /// Amazon EC2 instances work with these. Requests to containers and EC2 never use a proxy. Other
  /// services require TLS: pass a client that supports it to ``posix(http:)``.
  ///
  /// A command times out after 60 seconds. If it fails, the error message contains the end of its
  /// standard error. A file larger than 8 MiB throws `invalidFile`, and so does a pipe without data
  /// for 60 seconds. Commands aren't supported on iOS, tvOS, watchOS and visionOS. Sockets and
  /// commands use their own threads. Files are read on the caller's thread.
  public static var posix: CredentialSources {
    var sources = CredentialSources { SystemFacts.now() }
    sources.variable = { SystemFacts.variable($0) }
    sources.homeFolder = { SystemFacts.homeFolder() }
    sources.file = { path in try SmallFile.bytes(of: path) }
    sources.replaceFile = { path, bytes in
      try SmallFile.replace(path, with: bytes)
    }
    sources.http = { request in
      try await LocalExchange.response(to: request)
    }
    sources.wait = { duration in
      do {
        try await Task.sleep(for: duration.bounded)
      } catch {
        throw CredentialError(
          .cancelled, "The wait for credentials was cancelled.",
          fix: "Call again from a different task.")
      }
    }
    #if !canImport(Darwin) || os(macOS)
      sources.run = { command in
        try await OwnThread.run { (isCancelled) throws(CredentialError) in
          try ChildProcess.output(of: command, within: .seconds(60), isCancelled)
        }
      }
    #endif
    return sources
  }

  /// The sources of this process, with an HTTP client of your own for everything that isn't local:
  /// AWS STS, IAM Identity Center, Amazon Cognito.
  ///
  ///     let provider = SigV4.CredentialProvider.default(
  ///       sources: .posix(http: client.response(to:)))
  ///
  /// - Parameter send: sends a request, and returns the response, whatever its status. It must not
  ///   follow redirects, which would send secrets to a different host, and must not block its
  ///   thread, because one call at a time runs until it suspends.
  public static func posix(
    http send: sending @escaping (SigV4.HTTPRequest) async throws -> SigV4.HTTPResponse
  ) -> CredentialSources {
    var sources = posix
    let near = sources.http
    let far = SentClosure(send)
    sources.http = { request in
      request.isLocal ? try await near(request) : try await far(request)
    }
    return sources
  }
}

/// Requests that don't need TLS.
extension SigV4.HTTPRequest {
  /// Whether this is a request without TLS to this machine or its link: 127.0.0.0/8,
  /// 169.254.0.0/16, ::1, fd00:ec2::/32 (Amazon's) and `localhost`. A local request is never sent
  /// through a proxy, which would see the credentials.
  public var isLocal: Bool { (try? NearTarget(self)) != nil }
}

/// Facts about this process and its user, from the C library.
package enum SystemFacts {
  /// The current time. A clock outside the years 1 to 9999 returns the Unix epoch.
  package static func now() -> SigV4.Timestamp {
    (try? SigV4.Timestamp(unixSeconds: Int64(time(nil)))) ?? .unixEpoch
  }

  /// The value of an environment variable, or nil if it isn't set.
  package static func variable(_ name: String) -> String? {
    variableBytes(name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of an environment variable, or nil if it isn't set.
  package static func variableBytes(_ name: String) -> [UInt8]? {
    // Safety: the bytes are copied immediately, and this module never changes the environment.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
  }

  /// The user's home directory in the user database, or nil if it isn't found.
  ///
  /// On Linux, the database is /etc/passwd, because a static executable can't query others.
  package static func homeFolder() -> String? {
    #if canImport(Darwin) || canImport(Android)
      var record = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      var texts = [CChar](repeating: 0, count: 16_384)
      // Safety: the record points into the array. The directory is copied before the array is
      // freed.
      return unsafe texts.withUnsafeMutableBufferPointer { texts in
        guard let memory = texts.baseAddress,
          unsafe getpwuid_r(getuid(), &record, memory, texts.count, &found) == 0,
          let folder = unsafe found?.pointee.pw_dir
        else { return nil }
        return unsafe String(cString: folder)
      }
    #else
      return homeFolder(of: getuid(), in: (try? SmallFile.bytes(of: "/etc/passwd")) ?? [])
    #endif
  }

  /// Finds a user in passwd(5). Each line has name, password, user, group, comment, home directory
  /// and shell.
  static func homeFolder(of user: UInt32, in lines: [UInt8]) -> String? {
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: ASCIIByte.colon, omittingEmptySubsequences: false)
      if fields.count == 7, fields[2].elementsEqual(String(user).utf8), !fields[5].isEmpty {
        return String(decoding: fields[5], as: UTF8.self)
      }
    }
    return nil
  }

  /// The description of an error number.
  package static func reason(_ number: Int32) -> String {
    // Safety: the description is copied immediately.
    unsafe String(cString: strerror(number))
  }
}
