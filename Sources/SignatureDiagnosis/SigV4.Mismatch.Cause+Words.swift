// SPDX-License-Identifier: Apache-2.0
// Causes that no comparison of lines finds: who signed, when, and what the server says in words.

internal import DocumentSupport
internal import RequestSigning
internal import SigningSupport

extension SigV4.Mismatch.Cause {
  static func accessKeyID(ours: String, theirs: String) -> Self {
    Self(
      .accessKeyID, "the server looked for the key of \(theirs), and \(ours) signed",
      advice: "Look for something on the way that signs again, or for an answer to another request")
  }

  static var otherSecretAccessKey: Self {
    Self(
      .secretAccessKey,
      "both sides sign the same text, and the signature that arrived is not the one that the secret "
        + "access key here makes of it",
      advice:
        "Look at which credentials the sender has: the request was signed with another secret "
        + "than the one here, or its signature was changed on the way")
  }

  static func secretAccessKey(_ accessKeyID: String) -> Self {
    Self(
      .secretAccessKey,
      "both sides sign the same text, so the secret access key is not the one that the server has "
        + "for \(accessKeyID)",
      advice:
        "Copy key ID and secret again, as a pair: look for a cut character, a line end, a '/' "
        + "or '+' that was encoded, and for a secret of another account or of an earlier rotation. "
        + "Temporary credentials need the session token that came with them")
  }

  static func clock(_ server: SigV4.Timestamp, _ request: SigV4.Timestamp) -> Self {
    let offset = SigV4.ClockOffset(serverTime: server, ourTime: request)
    let (ahead, distance) =
      offset.seconds < 0 ? ("ahead of", 0 &- offset.seconds) : ("behind", offset.seconds)
    return Self(
      .clock,
      "the time that was signed, \(request.text), is \(distance) seconds \(ahead) the server's "
        + "clock, \(server.text)",
      advice:
        "Set the clock of this machine, or correct the next timestamp by \(offset); look also "
        + "for a request that waited in a queue after it was signed")
  }

  /// A clock that is off, and a server that does not show its own.
  static var unknownClock: Self {
    Self(
      .clock,
      "the clock of this machine differs from the server's by more than the server accepts, and the "
        + "body of its answer does not say by how much",
      advice:
        "Set the clock of this machine, or correct the next timestamp by the offset that the Date "
        + "header of the answer gives; look also for a request that waited in a queue after it was "
        + "signed")
  }

  static func expired(at expiration: SigV4.Timestamp, _ server: SigV4.Timestamp) -> Self {
    Self(
      .expired,
      "the presigned URL was good until \(expiration.text), and the server's clock says "
        + server.text,
      advice: "Presign a new one, with a longer life if need be (seven days at most)")
  }

  static func unsignedHeaders(_ names: String?) -> Self {
    Self(
      .unsignedHeaders, subject: names,
      "headers arrived that have to be signed and are not" + (names.map { ": " + $0 } ?? ""),
      advice: "Give every x-amz-* header to the request before it is signed, and look for a client "
        + "or proxy that adds some; whoever uses a presigned URL may only send those it requires")
  }

  static var hostNotSigned: Self {
    Self(
      .hostNotSigned, subject: "host", "the list of signed headers that arrived lacks host",
      advice: "Send the Authorization header exactly as it was made: host is always signed here. "
        + "Over HTTP/2 ':authority' has to be that host")
  }

  static func notExplained(errorCode: String?, message: String) -> Self {
    // The sentence ends here in any case.
    let isStopped = message.utf8.last == ASCIIByte.dot
    let message = String(decoding: message.utf8.dropLast(isStopped ? 1 : 0), as: UTF8.self)
    let said =
      switch (errorCode, message.utf8.isEmpty) {
      case (let code?, false): "it says \(code): \(message)"
      case (let code?, true): "it says \(code)"
      case (nil, false): "it says \(message)"
      case (nil, true): "it says nothing that can be read"
      }
    return Self(
      .notExplained, "the server does not show what it signed; " + said,
      advice: "When it is about the signature, check secret access key, region and service first; "
        + "when it is about access, the signature was right, and permissions are the matter")
  }
}
