// SPDX-License-Identifier: Apache-2.0
// The measuring loop with contenders that do almost nothing: its checks and its counts.

internal import Testing

@testable internal import BenchmarkSupport

@Suite struct TrialTests {
  let plan = MeasuringPlan(
    sample: .microseconds(20), trial: .milliseconds(1), minimumRounds: 3)

  @Test("Each contender gets a result, the baseline the ratio 1")
  func results() throws {
    let results = try TrialMeasurement(trial([worker("a"), worker("b")]), plan).results()
    #expect(results.map(\.contender) == ["a", "b"])
    #expect(results.allSatisfy { $0.operation == "work" && $0.bytes == 8 && $0.baseline == "b" })
    #expect(results.allSatisfy { $0.nanoseconds > 0 && $0.ratio > 0 && $0.spread >= 0 })
    #expect(results[1].ratio == 1)
    for result in results {
      // Eight bytes an operation; both numbers are rounded.
      let bytes = result.bytesPerSecond * result.nanoseconds / 1e9
      #expect(abs(bytes - 8) < 0.001)
      #expect(result.oneStreamRatio == nil)
    }
  }

  @Test("With one stream, the first contender is compared with it, and all bytes count")
  func oneStream() throws {
    let trial = Trial(
      operation: "work", bytes: 8, messages: 2, baseline: "b",
      contenders: [worker("a"), worker("b")], oneStream: worker("one"), expected: [1])
    let results = try TrialMeasurement(trial, plan).results()
    #expect(results.map(\.contender) == ["a", "b"])
    #expect(results[0].oneStreamRatio != nil && results[1].oneStreamRatio == nil)
    #expect(abs(results[0].bytesPerSecond * results[0].nanoseconds / 1e9 - 16) < 0.001)
  }

  @Test(
    "Counted operations have their number a second, their cost, and those elsewhere the way to us")
  func operations() throws {
    let elsewhere = Contender(
      name: "elsewhere", baseline: "a", timed: { Double($0) * 1e6 }, output: { [1] })
    let twice = Contender(
      name: "twice", baseline: "elsewhere", timed: { Double($0) * 2e6 }, output: { [1] })
    let other = Contender(
      name: "other", baseline: "b", expected: [7], run: { _ = $0 }, output: { [7] })
    let trial = Trial(
      operation: "work", bytes: 8, messages: 1, baseline: "b",
      contenders: [worker("a"), worker("b"), other, elsewhere, twice], expected: [1],
      figures: .operations, operationsInRun: 4, remark: "four")
    try trial.check()
    let results = try TrialMeasurement(trial, plan).results()
    #expect(results.map(\.baseline) == ["b", "b", "b", "a", "elsewhere"])
    #expect(results.allSatisfy { $0.remark == "four" })
    // A millisecond for four operations.
    #expect(results[3].nanoseconds == 250_000 && results[3].operationsPerSecond == 4_000)
    #expect(results[3].timesFirst != nil && results[3].allocations == nil)
    #expect(results[0].timesFirst == nil && results[1].cost == 1)
    #expect(results[4].cost == 2 && results[4].ratio == 0.5)
  }

  @Test("A contender that is named for it is compared with the first contender")
  func comparedWithFirst() throws {
    let trial = Trial(
      operation: "work", bytes: 8, messages: 1, baseline: "b",
      contenders: [worker("a"), worker("b"), worker("c")], comparedWithFirst: ["c"],
      expected: [1], figures: .operations)
    let results = try TrialMeasurement(trial, plan).results()
    #expect(results.map { $0.timesFirst != nil } == [false, false, true])
  }

  @Test("What another process can't do ends the measurement")
  func brokenElsewhere() {
    let broken = Contender(
      name: "broken", timed: { _ throws(BenchmarkError) in throw .failure("gone") }, output: { [1] }
    )
    let error = #expect(throws: BenchmarkError.self) { try trial([worker("b"), broken]).check() }
    #expect(error?.message == "gone")
  }

  @Test("Allocations are counted exactly, where they are counted")
  func allocations() {
    let kept = Outputs()
    let run = { (repetitions: Int) in
      for _ in 0..<repetitions {
        kept.buffers = [ByteBuffer(byteCount: 64 + kept.buffers.count)]
      }
    }
    // The array, the object of the buffer, and its memory.
    if let allocations = AllocationCounter.allocations(of: run) { #expect(allocations == 3) }
    if let allocations = AllocationCounter.allocations(of: { kept.count += $0 }) {
      #expect(allocations == 0)
    }
  }

  @Test("A contender that is wrong is named and refused, at the beginning and later")
  func wrong() throws {
    let bad = Contender(name: "bad", run: { _ in }, output: { [2] })
    let first = #expect(throws: BenchmarkError.self) { try trial([worker("b"), bad]).check() }
    #expect(first?.message.hasPrefix("bad computes a wrong result for work of 8 B") == true)
    #expect(first?.exitCode == 1)

    let outputs = Outputs()
    let tiring = Contender(
      name: "tiring", run: { _ in outputs.count += 1 },
      output: { outputs.count > 1 ? [2] : [1] })
    let tiringTrial = trial([worker("b"), tiring])
    try tiringTrial.check()
    #expect(throws: BenchmarkError.self) {
      try TrialMeasurement(tiringTrial, plan).results()
    }
  }

  @Test("The clock of the core is plausible for a current processor, or unknown")
  func coreClock() {
    #if DEBUG
      #expect(CoreClock.cycleNanoseconds() == nil)
    #else
      if let nanoseconds = CoreClock.cycleNanoseconds() {
        // 0.2 to 10 GHz; never a claim about speed.
        #expect(nanoseconds > 0.1 && nanoseconds < 5)
      }
    #endif
  }

  private func trial(_ contenders: [Contender]) -> Trial {
    Trial(
      operation: "work", bytes: 8, messages: 1, baseline: "b", contenders: contenders,
      expected: [1])
  }

  private func worker(_ name: String) -> Contender {
    let outputs = Outputs()
    return Contender(
      name: name, run: { for _ in 0..<$0 { outputs.count &+= 1 } }, output: { [1] })
  }

  final class Outputs {
    var count = 0
    var buffers: [ByteBuffer] = []
  }
}

@Suite struct MachineDescriptionTests {
  @Test(
    "The processor is named from Linux's list of processors",
    arguments: [
      (
        "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\n",
        "AMD EPYC (family 25, model 1)"
      ),
      (
        "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
        "processor of maker 0x41, part 0xd0c"
      ),
      ("model name : Something: new\n", "Something: new"), ("nothing", nil),
    ])
  func processor(text: String, expected: String?) {
    #expect(MachineDescription.processor(inCPUInformation: text) == expected)
  }
}
