// SPDX-License-Identifier: Apache-2.0
// A URLRequest in, a signed URLRequest out; and what of it is Foundation's own time.

internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation

enum URLRequestEntrant {
  /// The request of the task as a URLRequest that is at hand.
  static var all: [SigningEntrant] {
    [
      SigningEntrant(SigningEntrant.ours, into: URLRequestEntrant.Output()) { task, output in
        let request = try output.request(task)
        output.signed = try task.signer.sign(request, at: task.timestamp)
      } signature: {
        signature(of: $0.signed)
      },
      SigningEntrant("foundation", into: URLRequestEntrant.Output()) { task, output in
        let request = try output.request(task)
        let fields = try output.fields(task)
        var copy = request
        copy.url = URL(string: fields.url)
        let added = fields.headers.map { ($0.name, $0.value) }
        copy.allHTTPHeaderFields = (copy.allHTTPHeaderFields ?? [:]).merging(added) { $1 }
        output.signed = copy
      } signature: {
        signature(of: $0.signed)
      },
    ]
  }

  private static func signature(of request: URLRequest?) -> [UInt8] {
    SigningEntrant.hexadecimalEnd(of: request?.value(forHTTPHeaderField: "Authorization") ?? "")
  }

  /// Values created once for each sample, and the last result.
  private struct Output {
    var signed: URLRequest?
    private var request: URLRequest?
    private var fields: (url: String, headers: SigV4.Headers)?

    mutating func request(_ task: SigningTask) throws -> URLRequest {
      if let request { return request }
      guard let url = URL(string: try fields(task).url) else { throw CocoaError(.formatting) }
      var made = URLRequest(url: url)
      for header in task.request.headers {
        made.setValue(header.value, forHTTPHeaderField: header.name)
      }
      request = made
      return made
    }

    mutating func fields(_ task: SigningTask) throws -> (url: String, headers: SigV4.Headers) {
      if let fields { return fields }
      let signed = try task.signer.sign(task.request, at: task.timestamp)
      fields = (signed.url, signed.addedHeaders)
      return (signed.url, signed.addedHeaders)
    }
  }
}
