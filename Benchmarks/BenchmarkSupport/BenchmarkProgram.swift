// SPDX-License-Identifier: Apache-2.0
// Runs a benchmark program: options, checks, measurement, table, files.

internal import Foundation

/// A benchmark program with its subject.
public struct BenchmarkProgram {
  let name: String
  let purpose: String
  let options: [ProgramOption]
  let prepare: (ProgramChoices) throws(BenchmarkError) -> BenchmarkSubject

  /// Creates a program with this name and perhaps its own options. `prepare` is called before
  /// anything is measured.
  public init(
    name: String, purpose: String, options: [ProgramOption] = [],
    prepare: @escaping (ProgramChoices) throws(BenchmarkError) -> BenchmarkSubject
  ) {
    self.name = name
    self.purpose = purpose
    self.options = options
    self.prepare = prepare
  }

  /// Runs the program with its command line, and ends the process.
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
      let names = subject.trials.map(\.operation).uniqued().joined(separator: ", ")
      throw .usage("no operation begins with \(options.operation ?? ""). Use one of \(names).")
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

/// The subject of a benchmark.
public struct BenchmarkSubject {
  let libraries: [String]
  let notes: [String]
  let trials: [Trial]

  /// Creates a subject from the names and versions of the libraries, notes about omitted ones, and
  /// the trials in the table's order.
  public init(libraries: [String], notes: [String], trials: [Trial]) {
    self.libraries = libraries
    self.notes = notes
    self.trials = trials
  }
}
