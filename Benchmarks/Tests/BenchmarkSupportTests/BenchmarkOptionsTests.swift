// SPDX-License-Identifier: Apache-2.0
// The command line of the benchmark programs, and the ways to be refused.

internal import Testing

@testable internal import BenchmarkSupport

@Suite struct BenchmarkOptionsTests {
  @Test("All options are understood, in any order and with either form of value")
  func all() throws {
    let options = try BenchmarkOptions([
      "--seconds=75", "--json", "a.json", "--svg=b.svg", "--compare", "c.json", "--from=d=e.json",
    ])
    #expect(options.seconds == 75)
    #expect(options.jsonPath == "a.json")
    #expect(options.chartPath == "b.svg")
    #expect(options.oldReportPath == "c.json")
    #expect(options.givenReportPath == "d=e.json")
    #expect(!options.wantsHelp)
  }

  @Test("A program's own options are parsed, listed in the help, and rejected elsewhere")
  func own() throws {
    let flag = ProgramOption(name: "--deep", help: "dig")
    let valued = ProgramOption(name: "--place", placeholder: "DIR", help: "where")
    let options = try BenchmarkOptions(
      ["--place=a=b", "--seconds", "1", "--deep"], own: [flag, valued])
    #expect(options.seconds == 1 && options.choices.contains(flag))
    #expect(options.choices.value(of: valued) == "a=b")
    let none = try BenchmarkOptions([], own: [flag, valued]).choices
    #expect(!none.contains(flag) && none.value(of: valued) == nil)
    let help = BenchmarkOptions.help(name: "example", purpose: "nothing", own: [flag, valued])
    #expect(help.contains("\n  --deep           dig\n  --place DIR      where\n  --help "))
    let long = ProgramOption(name: "--with-a-long-name", placeholder: "PATH", help: "far")
    #expect(
      BenchmarkOptions.help(name: "example", purpose: "nothing", own: [long])
        .contains("\n  --with-a-long-name PATH\n                   far\n  --help "))
    for arguments in [["--place"], ["--place="], ["--deep=1"], ["--deep", "--deep"]] {
      #expect(throws: BenchmarkError.self) {
        try BenchmarkOptions(arguments, own: [flag, valued])
      }
    }
    #expect(throws: BenchmarkError.self) { try BenchmarkOptions(["--deep"]) }
  }

  @Test("The seconds of a run are shared by its trials, and no option means 25")
  func plans() throws {
    let seconds = try BenchmarkOptions([]).seconds
    #expect(seconds == 25)
    #expect(MeasuringPlan(seconds: seconds, trialCount: 50).trial == .milliseconds(500))
    #expect(MeasuringPlan(seconds: seconds, trialCount: 0).trial == .seconds(25))
  }

  @Test("Help is asked for in two ways", arguments: ["--help", "-h"])
  func help(option: String) throws {
    #expect(try BenchmarkOptions([option]).wantsHelp)
    let text = BenchmarkOptions.help(name: "example", purpose: "nothing")
    for option in [
      "--json", "--svg", "--compare", "--from", "--only", "--tables", "--seconds", "--help",
    ] {
      #expect(text.contains("\n  \(option) "))
    }
  }

  @Test(
    "Wrong options are rejected with exit code 2, and the option is named",
    arguments: [
      (["--fast"], "--fast"), (["file"], "file"), (["-q"], "-q"), (["--json"], "--json"),
      (["--json="], "--json"), (["--json", ""], "--json"), (["--help=1"], "--help"),
      (["--seconds", "0"], "--seconds"), (["--seconds=3601"], "3601"), (["--seconds=a"], "a"),
      (["--svg", "a", "--svg", "b"], "--svg"), ([""], "there is no option"), (["--"], "--"),
    ])
  func refusals(arguments: [String], named: String) {
    let error = #expect(throws: BenchmarkError.self) { try BenchmarkOptions(arguments) }
    #expect(error?.exitCode == 2)
    #expect(error?.message.contains(named) == true)
  }
}
