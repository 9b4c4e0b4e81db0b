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
  let comparedWithFirst: [String]
  let expected: [UInt8]
  let figures: Figures
  let operationsInRun: Int
  let remark: String?

  /// What a report shows about an operation, besides its time and ratio.
  public enum Figures: Sendable {
    /// Bytes a second, and cycles for a byte.
    case bytes
    /// Operations per second, allocations, and the time relative to the baseline's.
    case operations
  }

  /// Creates a trial whose ratios are relative to the contender named `baseline`.
  ///
  /// An operation processes `messages` messages of `bytes` bytes each, and its output must be
  /// `expected`. `oneStream` does the first contender's work with one message after the other. It's
  /// timed for comparison, but not listed. The first contender is also compared with other
  /// processes, and with the contenders in `comparedWithFirst`. If a run does several operations at
  /// once, `operationsInRun` is their number, and results are for one. The `remark` is shown with
  /// the results.
  public init(
    operation: String, bytes: Int, messages: Int, baseline: String, contenders: [Contender],
    oneStream: Contender? = nil, comparedWithFirst: [String] = [], expected: [UInt8],
    figures: Figures = .bytes, operationsInRun: Int = 1, remark: String? = nil
  ) {
    self.operation = operation
    self.bytes = bytes
    self.messages = messages
    self.baseline = baseline
    self.contenders = contenders
    self.oneStream = oneStream
    self.comparedWithFirst = comparedWithFirst
    self.expected = expected
    self.figures = figures
    self.operationsInRun = operationsInRun
    self.remark = remark
  }

  /// All who are timed.
  var participants: [Contender] { contenders + (oneStream.map { [$0] } ?? []) }

  /// Runs each contender once, and refuses those that are wrong.
  public func check() throws(BenchmarkError) {
    for contender in participants {
      _ = try contender.nanoseconds(1)
      try check(contender)
    }
  }

  /// Refuses a contender whose last output is wrong.
  func check(_ contender: Contender) throws(BenchmarkError) {
    if contender.output() == contender.expected ?? expected { return }
    throw .failure(
      "\(contender.name) computes a wrong result for \(operation) of \(ByteCount.text(bytes)): "
        + "nothing that is wrong is timed")
  }
}

/// One way to do the work.
public struct Contender {
  let name: String
  let baseline: String?
  let expected: [UInt8]?
  let output: () -> [UInt8]
  private let work: Work

  /// Where the work is done, and who measures it.
  private enum Work {
    case here((_ repetitions: Int) -> Void)
    case elsewhere((_ repetitions: Int) throws(BenchmarkError) -> Double)
  }

  /// Creates a contender. `run` repeats the work, and `output` returns the bytes of the last time.
  ///
  /// Pass `baseline` and `expected` if they differ from the trial's.
  public init(
    name: String, baseline: String? = nil, expected: [UInt8]? = nil,
    run: @escaping (_ repetitions: Int) -> Void, output: @escaping () -> [UInt8]
  ) {
    self.name = name
    self.baseline = baseline
    self.expected = expected
    self.output = output
    work = .here(run)
  }

  /// Creates another process, which repeats the work and returns the nanoseconds of processor time.
  public init(
    name: String, baseline: String? = nil,
    timed: @escaping (_ repetitions: Int) throws(BenchmarkError) -> Double,
    output: @escaping () -> [UInt8]
  ) {
    self.name = name
    self.baseline = baseline
    self.output = output
    expected = nil
    work = .elsewhere(timed)
  }

  var isElsewhere: Bool {
    if case .elsewhere = work { true } else { false }
  }

  /// Returns the processor time of a number of repetitions.
  func nanoseconds(_ repetitions: Int) throws(BenchmarkError) -> Double {
    switch work {
    case .here(let run):
      let start = ProcessorTime.nanoseconds
      run(repetitions)
      return ProcessorTime.nanoseconds - start
    case .elsewhere(let timed):
      return try timed(repetitions)
    }
  }

  /// The allocations of one repetition, where they are counted.
  func allocations() -> Double? {
    switch work {
    case .here(let run): AllocationCounter.allocations(of: run)
    case .elsewhere: nil
    }
  }
}
