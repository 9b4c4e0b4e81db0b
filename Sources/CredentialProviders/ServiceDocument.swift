// SPDX-License-Identifier: Apache-2.0
// What services answer: documents in JSON and XML, and the times in them.

internal import DocumentSupport
internal import RequestSigning

/// The documents that services answer.
enum ServiceDocument {
  /// An object of JSON. Throws `invalidAnswer`, which tells the place and not what stands there.
  static func json(
    _ body: [UInt8], of service: String
  ) throws(CredentialError) -> JSONReader.Value {
    do throws(DocumentError) {
      let value = try JSONReader.value(of: body)
      if case .object = value { return value }
    } catch {
      throw CredentialError(.invalidAnswer, "in the answer of \(service), \(error.message)")
    }
    throw CredentialError(
      .invalidAnswer,
      "the answer of \(service) is no object of JSON, so it holds no credentials; look at what "
        + "answers at this address")
  }

  /// A document of XML. Throws `invalidAnswer`.
  static func xml(
    _ body: [UInt8], of service: String
  ) throws(CredentialError) -> XMLFieldReader {
    do throws(DocumentError) {
      return try XMLFieldReader(body)
    } catch {
      throw CredentialError(.invalidAnswer, "in the answer of \(service), \(error.message)")
    }
  }
}

extension JSONReader.Value {
  /// The number, however it is written; nil for any other kind of value.
  var double: Double? {
    if case .number(let digits) = self { Double(digits) } else { nil }
  }

  /// The moment of so many seconds since 1970, fractions dropped; nil when there is no such moment.
  var secondsSince1970: SigV4.Timestamp? { double.flatMap(SigV4.Timestamp.init(answered:)) }

  /// The moment of so many milliseconds since 1970.
  var millisecondsSince1970: SigV4.Timestamp? {
    double.flatMap { SigV4.Timestamp(answered: $0 / 1000) }
  }

  /// The moment of a text such as `2024-01-29T18:53:01Z`.
  var moment: SigV4.Timestamp? { text.flatMap(SigV4.Timestamp.init(expiration:)) }
}

extension SigV4.Timestamp {
  /// The moment of so many seconds since 1970; nil when that is no moment.
  init?(answered seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 1e12,
      let moment = try? SigV4.Timestamp(unixSeconds: Int64(seconds.rounded(.down)))
    else { return nil }
    self = moment
  }
}
