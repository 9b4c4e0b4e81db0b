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

  /// What is told of an operation beside its time and its ratio.
  public enum Figures: Sendable {
    /// Bytes a second, and cycles for a byte.
    case bytes
    /// Operations a second, allocations, and how many times as long as the baseline it takes.
    case operations
  }

  /// A trial whose ratios are relative to the contender named `baseline`.
  ///
  /// An operation takes so many `messages` of so many `bytes` each, and leaves the `expected` output.
  /// `oneStream` does the work of the first contender with one message after the other; it is timed
  /// for comparison, but not listed. With other processes, and with those of the contenders whose names
  /// are in `comparedWithFirst`, the first one is compared too. A run that does many operations at once
  /// says how many; numbers are those of one. The `remark` stands beside the results.
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

  /// `run` does the work so many times, `output` gives the bytes that the last time left.
  ///
  /// `baseline` and `expected` are given by those for whom they are not those of the trial.
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

  /// Another process, which does the work so many times and says how many nanoseconds of processor
  /// time that took.
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

  /// The processor time of so many repetitions.
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
