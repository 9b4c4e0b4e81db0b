// SPDX-License-Identifier: Apache-2.0
// A contest: several ways to do the same work, which must all come to the same result.

/// One operation at one size, and those who do it.
public struct Trial {
  let operation: String
  let bytes: Int
  let messages: Int
  let baseline: String
  let contenders: [Contender]
  let oneStream: Contender?
  let expected: [UInt8]

  /// A trial whose ratios are relative to the contender named `baseline`.
  ///
  /// An operation takes so many `messages` of so many `bytes` each, and leaves the `expected` output.
  /// `oneStream` does the work of the first contender with one message after the other; it is timed
  /// for comparison, but not listed.
  public init(
    operation: String, bytes: Int, messages: Int, baseline: String, contenders: [Contender],
    oneStream: Contender? = nil, expected: [UInt8]
  ) {
    self.operation = operation
    self.bytes = bytes
    self.messages = messages
    self.baseline = baseline
    self.contenders = contenders
    self.oneStream = oneStream
    self.expected = expected
  }

  /// All who are timed.
  var participants: [Contender] { contenders + (oneStream.map { [$0] } ?? []) }

  /// Runs each contender once, and refuses those that are wrong.
  public func check() throws(BenchmarkError) {
    for contender in participants {
      contender.run(1)
      try check(contender)
    }
  }

  /// Refuses a contender whose last output is wrong.
  func check(_ contender: Contender) throws(BenchmarkError) {
    if contender.output() == expected { return }
    throw .failure(
      "\(contender.name) computes a wrong result for \(operation) of \(ByteCount.text(bytes)): "
        + "nothing that is wrong is timed")
  }
}

/// One way to do the work.
public struct Contender {
  let name: String
  let run: (_ repetitions: Int) -> Void
  let output: () -> [UInt8]

  /// `run` does the work so many times, `output` gives the bytes that the last time left.
  public init(
    name: String, run: @escaping (_ repetitions: Int) -> Void, output: @escaping () -> [UInt8]
  ) {
    self.name = name
    self.run = run
    self.output = output
  }
}
