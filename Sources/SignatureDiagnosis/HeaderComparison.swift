// SPDX-License-Identifier: Apache-2.0
// The lines of two lists of canonical headers, and who on the way changes which.

internal import DocumentSupport
internal import RequestSigning
internal import SigningSupport

extension SigV4.Mismatch {
  /// The lines of our signed headers and of the server's: slices of the canonical requests, so that
  /// their positions are the numbers of the lines.
  struct HeaderComparison {
    let ours: ArraySlice<ArraySlice<UInt8>>
    let theirs: ArraySlice<ArraySlice<UInt8>>
    let redaction: Redaction

    /// What differs first; nil when nothing does.
    func finding() -> Finding? {
      if ours.elementsEqual(theirs, by: { $0.elementsEqual($1) }) { return nil }
      let sortedTheirs = theirs.indices.sorted { precedes(theirs[$0], theirs[$1]) }
      let sortedOurs = ours.indices.sorted { precedes(ours[$0], ours[$1]) }
      var rest = sortedTheirs[...]
      var added: Int?
      for line in sortedOurs {
        while let other = rest.first, precedes(theirs[other], ours[line]) {
          added = added ?? other
          rest = rest.dropFirst()
        }
        guard let other = rest.first, !precedes(ours[line], theirs[other]) else {
          return missing(line, nil)
        }
        rest = rest.dropFirst()
        if !ours[line].elementsEqual(theirs[other]) { return changed(line, other) }
      }
      return (added ?? rest.first).map(self.added) ?? reordered()
    }

    private func missing(_ line: Int, _ other: Int?) -> Finding {
      let name = redaction.name(name(ours[line]))
      return Finding(cause: .headerMissing(name), difference: difference(line, ours: line, other))
    }

    private func added(_ line: Int) -> Finding {
      Finding(
        cause: .headerAdded(redaction.name(name(theirs[line]))),
        difference: difference(line, ours: nil, line))
    }

    private func changed(_ line: Int, _ other: Int) -> Finding {
      // Of a header that did not arrive, some servers write the name alone.
      if value(theirs[other]).isEmpty { return missing(line, other) }
      let cause = Cause.headerChanged(
        redaction.name(name(ours[line])), ours: value(ours[line]), theirs: value(theirs[other]))
      return Finding(cause: cause, difference: difference(line, ours: line, other))
    }

    private func reordered() -> Finding? {
      let pair = Swift.zip(ours.indices, theirs.indices).first {
        !ours[$0].elementsEqual(theirs[$1])
      }
      return pair.map { Finding(cause: .headers, difference: difference($0, ours: $0, $1)) }
    }

    private func difference(_ line: Int, ours ourLine: Int?, _ theirLine: Int?) -> Difference {
      redaction.difference(
        .canonicalRequest, line: line, ourLine.map { ours[$0] }, theirLine.map { theirs[$0] })
    }

    private func precedes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
      name(left).lexicographicallyPrecedes(name(right))
    }

    private func name(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      line.prefix { $0 != ASCIIByte.colon }
    }

    private func value(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      line[name(line).endIndex...].dropFirst()
    }
  }
}

extension SigV4.Mismatch.Cause {
  static func headerMissing(_ name: String) -> Self {
    Self(
      .headerMissing, subject: name, "the header \(name) was signed and did not arrive",
      advice:
        "Send it with the value that was signed; whoever uses a presigned URL has to send all "
        + "its required headers. When it is sent, a proxy removes it: let the proxy keep it, or leave "
        + "it unsigned with .withUnsignedHeaders, which does not work for host, content-type and "
        + "x-amz-*")
  }

  static func headerAdded(_ name: String) -> Self {
    Self(
      .headerAdded, subject: name, "the server counts the header \(name) as signed, and it is not",
      advice: "Send the Authorization header, or the URL, exactly as it was made, and look for "
        + "something on the way that signs again")
  }

  static var headers: Self {
    Self(
      .headers, "the same signed headers stand in another order",
      advice:
        "The canonical order is that of the lowercase names: one side sorts in another way, so "
        + "report it to the server")
  }

  static func headerChanged(
    _ name: String, ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>
  ) -> Self {
    let named = { (other: String) in ASCIIByte.equalIgnoringCase(name.utf8, other.utf8) }
    if named("host") { return host }
    if named("x-amz-date") { return date }
    if named("x-amz-content-sha256") { return payload(ours: ours, theirs: theirs) }
    let what = "the header \(name) arrived with another value"
    if named("accept-encoding") {
      return Self(
        .headerChanged, subject: name, what,
        advice:
          "Proxies and content delivery networks rewrite it, often to gzip: leave it unsigned, "
          + "with .withUnsignedHeaders")
    }
    if named("content-type") {
      return Self(
        .headerChanged, subject: name, what,
        advice: "HTTP clients set it themselves or add a charset or a boundary: give it to the "
          + "request exactly as it will be sent")
    }
    return Self(
      .headerChanged, subject: name, what,
      advice:
        "Send the value that was signed; when it is sent so, a proxy rewrites it: let the proxy "
        + "keep it, or leave it unsigned with .withUnsignedHeaders, which does not work for x-amz-*"
    )
  }

  private static var host: Self {
    Self(
      .host, subject: "host", "the server saw another host or port than the one that was signed",
      advice:
        "Sign for the host that the server sees, port included: behind a reverse proxy either "
        + "let it pass the Host header on unchanged, or sign for the internal host")
  }
}
