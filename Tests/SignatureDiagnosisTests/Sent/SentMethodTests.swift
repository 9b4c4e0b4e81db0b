// SPDX-License-Identifier: Apache-2.0
// A failed presigned URL without a method, which is tried or requested, and never blamed.

internal import Foundation
internal import RequestSigning
internal import SignatureDiagnosis
internal import SigningTestSupport
internal import Testing

@Suite("Diagnosis: a presigned URL without its method")
struct SentMethodTests {
  /// A URL for an upload, and the strings that the server computes from it.
  private func upload() throws -> (url: String, answer: ServerAnswer) {
    let url = try Example.presigned(SigV4.Request("PUT", url: "https://example.com/a?x=1"), .s3)
    return (url.url, ServerAnswer(url))
  }

  private func explained(
    _ url: String, _ answer: String, method: String? = nil, madeWith: SigV4.Credentials? = nil
  ) throws -> SigV4.Diagnosis {
    let sent = try SigV4.SentRequest(method, url: url, madeWith: madeWith)
    return SigV4.ServiceError(answer.utf8).diagnosis(for: sent)
  }

  @Test("What differs is found whatever the method was, with credentials and without")
  func otherDifferences() throws {
    var (url, answer) = try upload()
    answer.lines[2] = answer.lines[2].replacingOccurrences(of: "x=1", with: "x=2")
    for credentials in [nil, try Example.credentials()] {
      let found = try explained(url, answer.xml, madeWith: credentials)
      #expect(found.cause.code == .queryParameterChanged && found.cause.subject == "x", "\(found)")
    }
  }

  @Test("Where all else is equal, another method is one of the causes that are named")
  func holder() throws {
    var (url, answer) = try upload()
    for method in ["PUT", "GET"] {
      answer.lines[0] = method
      let found = try explained(url, answer.xml)
      #expect(found.cause.code == .signature && found.difference == nil, "\(found)")
      #expect(found.cause.problem.contains("method") && found.cause.fix.contains("method"))
    }
    url = try explainedURL(changed: url)
    #expect(try explained(url, answer.xml).cause.code == .queryParameterChanged)
  }

  private func explainedURL(changed url: String) throws -> String {
    url.replacingOccurrences(of: "x=1", with: "x=3")
  }

  @Test("With the credentials that made it, the signed method is found and named")
  func maker() throws {
    var (url, answer) = try upload()
    let credentials = try Example.credentials()
    let secret = try explained(url, answer.xml, madeWith: credentials)
    #expect(secret.cause.code == .secretAccessKey, "\(secret)")
    answer.lines[0] = "GET"
    let other = try explained(url, answer.xml, madeWith: credentials)
    #expect(other.cause.code == .method, "\(other)")
    #expect(other.cause.problem == "The method PUT was signed, but GET arrived.")
    let given = try explained(url, answer.xml, method: "GET", madeWith: credentials)
    #expect(given.cause.code == .signature, "\(given)")
  }

  /// Ceph, MinIO and R2 don't show their strings: erdos-ai/r2 13, intel-cloud/cosbench 319.
  @Test("A response without details is about the method only if it's unknown")
  func bareAnswers() throws {
    let (url, _) = try upload()
    let bare = "<Error><Code>SignatureDoesNotMatch</Code></Error>"
    let holder = try explained(url, bare)
    #expect(holder.cause.code == .unknownCause && holder.cause.fix.contains("method"))
    let maker = try explained(url, bare, madeWith: Example.credentials())
    #expect(
      maker.cause.code == .unknownCause && maker.cause.problem.contains("PUT"), "\(maker)")
    let given = try explained(url, bare, method: "PUT")
    #expect(given.cause.code == .unknownCause && !given.cause.fix.contains("method"))
    let changed = url.replacingOccurrences(of: "x=1", with: "x=2")
    let broken = try explained(changed, bare, madeWith: Example.credentials())
    #expect(broken.cause.code == .signature)
    for answer in [
      "<Error><Code>AccessDenied</Code></Error>", "", "HTTP/1.1 403 Forbidden\r\n\r\n",
    ] {
      for credentials in [nil, try Example.credentials()] {
        let found = try explained(url, answer, madeWith: credentials)
        #expect(found.cause.code == .unknownCause && !found.cause.fix.contains("secret"))
      }
    }
    let expired = try explained(url, "Request has expired")
    #expect(expired.cause.code == .expired)
    let lost = try explained(url, "<Error><Code>NoSuchKey</Code></Error>")
    #expect(lost.cause.code == .accepted)
  }
}
