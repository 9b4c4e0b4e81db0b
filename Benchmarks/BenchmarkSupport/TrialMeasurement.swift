// SPDX-License-Identifier: Apache-2.0
// The measuring loop: all contenders of a trial take turns, so that a drift of the machine hits all.

/// How long to measure.
struct MeasuringPlan {
  /// The least duration of one sample.
  let sample: Duration
  /// The duration of one trial, unless the least number of rounds takes longer.
  let trial: Duration
  let minimumRounds: Int
}

extension MeasuringPlan {
  /// Creates a plan for a number of trials in about this many seconds.
  init(seconds: Int, trialCount: Int) {
    self.init(
      sample: .microseconds(200), trial: .seconds(seconds) / max(1, trialCount), minimumRounds: 5)
  }
}

/// The measurement of one trial.
struct TrialMeasurement {
  let trial: Trial
  let plan: MeasuringPlan

  init(_ trial: Trial, _ plan: MeasuringPlan) {
    self.trial = trial
    self.plan = plan
  }

  /// A result for each contender, in their order.
  func results() throws(BenchmarkError) -> [BenchmarkResult] {
    let samples = try samples()
    return trial.contenders.indices.map { result(of: $0, samples) }
  }

  private func result(of index: Int, _ samples: TrialSamples) -> BenchmarkResult {
    let contender = trial.contenders[index]
    let times = samples.times[index]
    let baselineName = contender.baseline ?? trial.baseline
    let baseline = trial.contenders.firstIndex { $0.name == baselineName } ?? index
    let oneStream = index == 0 && trial.oneStream != nil ? samples.times.last : nil
    let allBytes = Double(trial.bytes * trial.messages)
    let median = SampleStatistics.median(times)
    var result = BenchmarkResult(
      operation: trial.operation, bytes: trial.bytes, contender: contender.name,
      baseline: baselineName,
      nanoseconds: median.rounded(toDigits: 6),
      spread: SampleStatistics.spread(times).rounded(toDigits: 3),
      bytesPerSecond: (allBytes * 1e9 / median).rounded(toDigits: 6),
      ratio: SampleStatistics.ratio(samples.times[baseline], to: times).rounded(toDigits: 4),
      oneStreamRatio: oneStream.map {
        SampleStatistics.ratio($0, to: times).rounded(toDigits: 4)
      },
      cyclesPerByte: samples.cycles(of: index).map { ($0 / allBytes).rounded(toDigits: 4) },
      remark: trial.remark)
    if trial.figures == .operations {
      result.operationsPerSecond = (1e9 / median).rounded(toDigits: 6)
      result.allocations = contender.allocations().map {
        ($0 / Double(trial.operationsInRun)).rounded(toDigits: 4)
      }
      result.cost = SampleStatistics.ratio(times, to: samples.times[baseline])
        .rounded(toDigits: 4)
      result.timesFirst =
        contender.isElsewhere || trial.comparedWithFirst.contains(contender.name)
        ? SampleStatistics.ratio(times, to: samples.times[0]).rounded(toDigits: 4) : nil
    }
    return result
  }

  /// Rounds in which everybody has one turn, in another order each time.
  private func samples() throws(BenchmarkError) -> TrialSamples {
    let participants = trial.participants
    var repetitions: [Int] = []
    for participant in participants { repetitions.append(try calibrate(participant)) }
    var samples = TrialSamples(participantCount: participants.count)
    var order = SystemRandomNumberGenerator()
    let clock = ContinuousClock()
    let end = clock.now + plan.trial
    while samples.roundCount < plan.minimumRounds || clock.now < end {
      var times = participants.map { _ in 0.0 }
      for index in participants.indices.shuffled(using: &order) {
        for _ in 0..<samplesInTurn {
          times[index] = try time(participants[index], repetitions[index])
        }
        try trial.check(participants[index])
      }
      samples.append(times, cycleNanoseconds: CoreClock.cycleNanoseconds())
    }
    return samples
  }

  /// With other processes, the first sample is discarded: it pays for evicted caches and forgotten
  /// branches.
  private var samplesInTurn: Int { trial.contenders.contains(where: \.isElsewhere) ? 2 : 1 }

  /// The number of repetitions that fill the minimum length of a sample. This is also the warm-up.
  private func calibrate(_ contender: Contender) throws(BenchmarkError) -> Int {
    var repetitions = 1
    while try contender.nanoseconds(repetitions) < plan.sample.nanoseconds,
      repetitions < 1 << 30
    {
      repetitions *= 2
    }
    return repetitions
  }

  /// Nanoseconds for one operation.
  private func time(
    _ contender: Contender, _ repetitions: Int
  ) throws(BenchmarkError) -> Double {
    try contender.nanoseconds(repetitions) / Double(repetitions * trial.operationsInRun)
  }
}

/// The times of all participants in all rounds.
struct TrialSamples {
  /// Nanoseconds for an operation: participants, and in them rounds.
  private(set) var times: [[Double]]
  private(set) var cycleNanoseconds: [Double?] = []

  var roundCount: Int { cycleNanoseconds.count }

  init(participantCount: Int) {
    times = Array(repeating: [], count: participantCount)
  }

  mutating func append(_ round: [Double], cycleNanoseconds: Double?) {
    for index in times.indices { times[index].append(round[index]) }
    self.cycleNanoseconds.append(cycleNanoseconds)
  }

  /// The processor's cycles for an operation, if known.
  func cycles(of participant: Int) -> Double? {
    let cycles = zip(times[participant], cycleNanoseconds).compactMap { time, cycle in
      cycle.map { time / $0 }
    }
    return cycles.isEmpty ? nil : SampleStatistics.median(cycles)
  }
}

extension Duration {
  var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) * 1e-9
  }
}
