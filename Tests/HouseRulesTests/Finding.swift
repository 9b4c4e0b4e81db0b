// SPDX-License-Identifier: Apache-2.0
// The watchman's report: where a house rule is broken, and what to do about it.

internal import Testing

/// A place where a house rule is broken.
struct Finding: CustomStringConvertible {
  let path: String
  let line: Int
  let advice: String

  init(_ path: String, _ line: Int, _ advice: String) {
    self.path = path
    self.line = line
    self.advice = advice
  }

  /// Written so that editors jump to the place.
  var description: String { "\(path):\(line): \(advice)" }

  /// Lets the running test fail once for each finding.
  static func report(_ findings: [Finding]) {
    for finding in findings { Issue.record("\(finding)") }
  }
}
