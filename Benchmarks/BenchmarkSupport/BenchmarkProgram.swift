// SPDX-License-Identifier: Apache-2.0
// The way through a benchmark program: options, checks, measuring, table, files.

internal import Foundation

/// A benchmark program, once it is said what it measures.
public struct BenchmarkProgram {
  let name: String
  let purpose: String
  let options: [ProgramOption]
  let prepare: (ProgramChoices) throws(BenchmarkError) -> BenchmarkSubject

  /// A program of this name, perhaps with options of its own; `prepare` is called when there is
  /// something to measure.
  public init(
    name: String, purpose: String, options: [ProgramOption] = [],
    prepare: @escaping (ProgramChoices) throws(BenchmarkError) -> BenchmarkSubject
  ) {
    self.name = name
    self.purpose = purpose
    self.options = options
    self.prepare = prepare
  }

  /// Does what the command line says, and ends the process.
  public func main() -> Never {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
      exit(0)
    } catch {
      TerminalProgress.tell("\(name): \(error.message)")
      exit(error.exitCode)
    }
  }

  func run(_ arguments: [String]) throws(BenchmarkError) {
    let options = try BenchmarkOptions(arguments, own: self.options)
    if options.wantsHelp {
      return print(BenchmarkOptions.help(name: name, purpose: purpose, own: self.options))
    }
    let files = try ReportFiles(options)
    let report = if let given = files.given { given } else { try measure(options, files.old) }
    print(ResultTable(report, isComplete: options.wantsTables).text)
    if let old = files.old { print("\n" + ReportComparison(old: old, new: report).text) }
    try files.write(report)
  }

  /// What differs from the older results is measured a second time, since noise comes and goes.
  func measure(
    _ options: BenchmarkOptions, _ old: BenchmarkReport?
  ) throws(BenchmarkError) -> BenchmarkReport {
    let subject = try prepare(options.choices)
    subject.notes.forEach(TerminalProgress.tell)
    let trials = subject.trials.filter { $0.operation.hasPrefix(options.operation ?? "") }
    if trials.isEmpty {
      let names = subject.trials.map(\.operation)
      throw .usage("no operation begins with that name; there are \(Set(names).sorted())")
    }
    for trial in trials { try trial.check() }
    let plan = MeasuringPlan(seconds: options.seconds, trialCount: trials.count)
    let progress = TerminalProgress(count: trials.count)
    var results: [[BenchmarkResult]] = []
    for trial in trials {
      progress.begin("\(trial.operation), \(ByteCount.text(trial.bytes))")
      results.append(try TrialMeasurement(trial, plan).results())
    }
    for (index, trial) in trials.enumerated()
    where old?.differs(from: results[index]) == true {
      progress.begin("\(trial.operation), \(ByteCount.text(trial.bytes)) again")
      results[index] = try TrialMeasurement(trial, plan).results()
    }
    progress.end()
    return BenchmarkReport(
      benchmark: name, machine: MachineDescription.text, date: Date().ISO8601Format(),
      libraries: subject.libraries, results: results.flatMap(\.self))
  }
}

/// What a benchmark measures.
public struct BenchmarkSubject {
  let libraries: [String]
  let notes: [String]
  let trials: [Trial]

  /// Names and versions of the libraries, notes about what is left out, and the trials in the order
  /// of the table.
  public init(libraries: [String], notes: [String], trials: [Trial]) {
    self.libraries = libraries
    self.notes = notes
    self.trials = trials
  }
}
