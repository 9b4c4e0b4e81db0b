// SPDX-License-Identifier: Apache-2.0
// soto-core's signer as a program that signs on command, in the language of signing-peer.py:
// `signing-benchmark --with-soto` builds it.

import Foundation
import SotoSignerV4

@main
enum Peer {
  static func main() {
    respond(["version": CommandLine.arguments.last])
    while let line = readLine() {
      guard let task = try? JSONDecoder().decode(Task.self, from: Data(line.utf8)),
        let date = task.date
      else { break }
      respond(measure(task, at: date))
    }
  }

  /// From strings to strings. The documentation asks for `processURL` first.
  private static func measure(_ task: Task, at date: Date) -> Measurement {
    let signer = AWSSigner(
      credentials: StaticCredential(
        accessKeyId: task.accessKeyID, secretAccessKey: task.secretAccessKey),
      name: "s3", region: task.regionSet ?? task.region,
      algorithm: task.regionSet == nil ? .sigV4 : .sigV4a)
    let text = "https://" + task.host + task.target
    let fields = task.headers.map { ($0[0], $0[1]) }
    let method = HTTPMethod(rawValue: task.method)
    var signed = ""
    let start = processorTime()
    for _ in 0..<task.count {
      guard let given = URL(string: text), let url = signer.processURL(url: given) else { break }
      let headers = HTTPHeaders(fields)
      if let lifetime = task.lifetime {
        signed =
          signer.signURL(
            url: url, method: method, headers: headers, expires: .seconds(lifetime), date: date
          ).absoluteString
      } else {
        let all = signer.signHeaders(url: url, method: method, headers: headers, date: date)
        signed = all["authorization"].first ?? ""
      }
    }
    return Measurement(
      nanoseconds: processorTime() - start,
      signature: signed.components(separatedBy: "Signature=").last ?? "")
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  private static func respond(_ value: some Encodable) {
    let line = (try? JSONEncoder().encode(value)) ?? Data()
    FileHandle.standardOutput.write(line + Data("\n".utf8))
  }
}

/// A line of input: a request, and how often to sign it.
struct Task: Decodable {
  let count: Int
  let method, host, target: String
  let headers: [[String]]
  let lifetime: Int64?
  let regionSet: String?
  let accessKeyID, secretAccessKey, region, moment: String

  var date: Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
    return formatter.date(from: moment)
  }
}

struct Measurement: Encodable {
  let nanoseconds: Double
  let signature: String
}
