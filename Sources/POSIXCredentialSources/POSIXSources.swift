// SPDX-License-Identifier: Apache-2.0
// What credential providers may use of this process, from the C library: no Foundation, no TLS.

@_exported public import CredentialProviders
package import RequestSigning
internal import SigningSupport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the C library has of this process.
extension CredentialSources {
  /// What this process has by way of the C library: environment, files, programs, clock, and HTTP
  /// without TLS to this machine and its link.
  ///
  ///     let provider = RefreshingCredentialProvider(
  ///       DefaultCredentialProvider(sources: .posix), now: CredentialSources.posix.now)
  ///
  /// That is enough for variables, profiles, programs, containers (Amazon ECS, EKS Pod Identity) and
  /// instances (Amazon EC2), whose services are asked directly, whatever proxy the environment names.
  /// Other services need TLS: give `http` a client of your own that has it, and pass what is near to
  /// this one:
  ///
  ///     var sources = CredentialSources.posix
  ///     let near = sources.http
  ///     sources.http = { request in
  ///       request.isLocal ? try await near(request) : try await mine(request)
  ///     }
  ///
  /// A program has 60 seconds, and what it writes to its standard error becomes a part of the message
  /// when it fails. Files above 8 MiB are refused, and so are programs where the system allows none (iOS,
  /// tvOS, watchOS, visionOS). Sockets and programs have threads of their own; files are read where they
  /// are asked for.
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
        // Longer ones overflow a clock's instants.
        try await Task.sleep(for: min(duration, .seconds(86_400)))
      } catch {
        throw CredentialError(
          .cancelled, "The wait for credentials was cancelled.",
          fix: "Call it again from a different task.")
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
}

/// Which requests need no TLS.
extension CredentialRequest {
  /// Whether the request goes, without TLS, to this machine or its link: 127.0.0.0/8, 169.254.0.0/16,
  /// ::1, fd00:ec2::/32 (Amazon's) and `localhost`. Such a request is never sent through a
  /// proxy, which would learn the credentials.
  public var isLocal: Bool { (try? NearTarget(self)) != nil }
}

/// What the C library knows of this process and its user.
package enum SystemFacts {
  /// The time; a clock outside of the years 1 to 9999 counts as one that was never set.
  package static func now() -> SigV4.Timestamp {
    (try? SigV4.Timestamp(unixSeconds: Int64(time(nil)))) ?? .unixEpoch
  }

  /// The value of an environment variable; nil when it is not set.
  package static func variable(_ name: String) -> String? {
    // Safety: the text is copied before anything here could change the environment.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The home folder of the user in the system's database; nil when it is not there.
  ///
  /// On Linux that is the file: a static executable cannot ask other databases.
  package static func homeFolder() -> String? {
    #if canImport(Darwin) || canImport(Android)
      var record = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      var texts = [CChar](repeating: 0, count: 16_384)
      // Safety: the texts of the record are in the array, of which one is copied before it ends.
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

  /// passwd(5): name, password, user, group, comment, home folder and shell of a user in a line.
  static func homeFolder(of user: UInt32, in lines: [UInt8]) -> String? {
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: ASCIIByte.colon, omittingEmptySubsequences: false)
      if fields.count == 7, fields[2].elementsEqual(String(user).utf8), !fields[5].isEmpty {
        return String(decoding: fields[5], as: UTF8.self)
      }
    }
    return nil
  }

  /// What an error number means.
  package static func reason(_ number: Int32) -> String {
    // Safety: the text is copied at once.
    unsafe String(cString: strerror(number))
  }
}
