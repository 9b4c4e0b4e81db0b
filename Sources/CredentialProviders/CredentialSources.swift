// SPDX-License-Identifier: Apache-2.0
// What providers may see and use: variables, files, programs, HTTP and a clock, all as arguments.

public import RequestSigning
public import SecureHashing
internal import SigningSupport

/// What providers may see and use. RequestSigningFoundation has the sources of this process
/// (`CredentialSources.process`); a test passes its own.
///
/// A source that is not set has nothing, or refuses. Providers wrap the errors of these closures as
/// ``CredentialError/underlyingError``.
public struct CredentialSources: Sendable {
  /// The time now.
  public var now: @Sendable () -> SigV4.Timestamp

  /// The value of an environment variable; nil when it is not set.
  public var variable: @Sendable (_ name: String) -> String? = { _ in nil }

  /// The home folder of the user, as the system knows it; nil when it does not. Asked when the variable
  /// `HOME` is not set.
  public var homeFolder: @Sendable () -> String? = { nil }

  /// The bytes of a file; nil when it does not exist or is a folder. Throws `invalidFile` when it cannot
  /// be read.
  public var file: @Sendable (_ path: String) throws -> [UInt8]? = { _ in nil }

  /// Writes a file in one step, readable by its owner only; of a symbolic link what it leads to. Throws
  /// `invalidFile`.
  public var replaceFile: @Sendable (_ path: String, _ bytes: [UInt8]) throws -> Void = {
    (path, _) in
    throw CredentialError.invalidFile(
      "Can't write \(path): these sources are read-only.",
      fix: "Use sources that set replaceFile.")
  }

  /// Runs a program without a shell, by its name and arguments, and returns its standard output.
  ///
  /// Throws `refused` when it exits with another code than 0, `timedOut`, and `cancelled`.
  public var run: @Sendable (_ command: [String]) async throws -> [UInt8] = { (command) in
    throw CredentialError.accessDenied(
      "Can't run \(command.first ?? "a command"): these sources don't run commands.",
      fix: "Use sources that set run.")
  }

  /// The answer to a small HTTP request, whatever its status. A redirect is an answer and is not followed.
  ///
  /// Throws `unreachable`, `timedOut`, `cancelled`, and `invalidResponse` for an answer above
  /// `CredentialResponse.maximumByteCount`.
  public var http: @Sendable (_ request: CredentialRequest) async throws -> CredentialResponse = {
    (request) in
    throw CredentialError.unreachable(
      "Can't send \(request): these sources have no HTTP client.",
      fix: "Use sources that set http.")
  }

  /// The code that a device for multi-factor authentication shows now: six digits. Asked when a role needs
  /// one (`mfa_serial`), by the serial number or the ARN of the device; a person may have to be asked.
  public var mfaCode: @Sendable (_ serialNumber: String) async throws -> String = {
    (serialNumber) in
    throw CredentialError.invalidConfiguration(
      "Can't prompt for the code of MFA device \(serialNumber.shown) (mfa_serial).",
      fix: "Use sources that set mfaCode, or get a session with 'aws configure export-credentials'."
    )
  }

  /// Waits; does not wait when not set. Throws `cancelled` when the caller was.
  public var wait: @Sendable (_ duration: Duration) async throws -> Void = { _ in }

  /// A number of 0 to 1, by which pauses between attempts are multiplied, among others: many machines
  /// that failed at once do not ask again at once.
  public var random: @Sendable () -> Double = { .random(in: 0...1) }

  /// A number of 0 to 1, whatever `random` gives; NaN counts as 0.
  var randomShare: Double {
    let share = random()
    return share > 0 ? min(share, 1) : 0
  }

  /// Sources with a clock, and nothing else yet.
  public init(now: @escaping @Sendable () -> SigV4.Timestamp) { self.now = now }
}

// The closures, with errors that providers throw.
extension CredentialSources {
  func contents(of path: String) throws(CredentialError) -> [UInt8]? {
    do { return try file(path) } catch {
      throw CredentialError(error, .invalidFile, of: "The closure that reads \(path)")
    }
  }

  func write(_ bytes: [UInt8], to path: String) throws(CredentialError) {
    do { try replaceFile(path, bytes) } catch {
      throw CredentialError(error, .invalidFile, of: "The closure that writes \(path)")
    }
  }

  func output(of command: [String]) async throws(CredentialError) -> [UInt8] {
    do { return try await run(command) } catch {
      throw CredentialError(
        error, .accessDenied, of: "The closure that runs \(command.first ?? "")")
    }
  }

  package func response(
    to request: CredentialRequest
  ) async throws(CredentialError) -> CredentialResponse {
    do { return try await http(request) } catch {
      throw CredentialError(error, .unreachable, of: "The HTTP client, for \(request),")
    }
  }

  func code(of serialNumber: String) async throws(CredentialError) -> String {
    do { return try await mfaCode(serialNumber) } catch {
      throw CredentialError(error, .accessDenied, of: "The closure that returns an MFA code")
    }
  }

  func pause(for duration: Duration) async throws(CredentialError) {
    do { try await wait(duration) } catch {
      throw CredentialError(error, .cancelled, of: "The closure that waits")
    }
  }
}

/// A small HTTP request for credentials. It may hold a secret, and prints its method and its URL up to
/// the query.
public struct CredentialRequest: Equatable, Sendable, CustomStringConvertible, Redacted {
  /// The method: `GET`.
  public var method: String

  /// The absolute URL, already encoded.
  public var url: String

  /// The headers, without `Host` and `Content-Length`: the exchange writes these.
  public var headers: SigV4.Headers

  /// The body; empty when there is none.
  public var body: [UInt8]

  /// How long the whole exchange may take.
  public var timeout: Duration

  /// A request.
  public init(
    _ method: String, _ url: String, headers: SigV4.Headers = [:], body: [UInt8] = [],
    timeout: Duration
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }

  /// Throws `invalidConfiguration` for a method that is not one, and for a header that could add another
  /// one: values come from files and variables, often with a line end.
  package func check() throws(CredentialError) {
    if method.isEmpty || !method.utf8.allSatisfy(ASCIIByte.isTokenCharacter) {
      throw .invalidConfiguration(
        "The request to \(url.prefix { $0 != "?" }) wasn't sent: its HTTP method isn't valid.",
        fix: "Use a method such as GET.")
    }
    for header in headers {
      if !(header.name + header.value).utf8.contains(where: Self.endsHeader) { continue }
      let name = header.name.prefix { $0.isASCII && $0.isLetter || $0 == "-" }
      throw .invalidConfiguration(
        "\(self) wasn't sent: its header \(name) contains a control character.",
        fix: "Check for a newline that was read with the value.")
    }
  }

  private static func endsHeader(_ byte: UInt8) -> Bool {
    ASCIIByte.isControl(byte) && byte != ASCIIByte.tab
  }

  /// Which program asks (RFC 9110, 10.1.5).
  package static var userAgent: String { "swift-sigv4/" + LibraryVersion.text }

  /// The method, and the URL without its query.
  public var description: String { method + " " + url.prefix { $0 != "?" } }
}

/// A small HTTP answer. It may hold a secret, and prints its status and size.
public struct CredentialResponse: Equatable, Sendable, CustomStringConvertible, Redacted {
  /// More bytes than any source of credentials sends: 1 MiB.
  public static let maximumByteCount = 1_048_576

  /// The status: 200.
  public let status: Int

  /// The headers.
  public let headers: SigV4.Headers

  /// The body.
  public let body: [UInt8]

  /// An answer.
  public init(status: Int, headers: SigV4.Headers = [:], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The status, and how many bytes the body has.
  public var description: String { "status \(status), \(body.count) bytes" }
}
