// SPDX-License-Identifier: Apache-2.0
// The command line of the benchmark programs, and the ways to be refused.

internal import Testing

@testable internal import BenchmarkSupport

@Suite struct BenchmarkOptionsTests {
  @Test("All options are understood, in any order and with either form of value")
  func all() throws {
    let options = try BenchmarkOptions([
      "--quick", "--json", "a.json", "--svg=b.svg", "--compare", "c.json", "--from=d=e.json",
    ])
    #expect(options.isQuick)
    #expect(options.jsonPath == "a.json")
    #expect(options.chartPath == "b.svg")
    #expect(options.oldReportPath == "c.json")
    #expect(options.givenReportPath == "d=e.json")
    #expect(!options.wantsHelp)
  }

  @Test("A program's own options are understood, told in the help, and refused elsewhere")
  func own() throws {
    let flag = ProgramOption(name: "--deep", help: "dig")
    let valued = ProgramOption(name: "--place", placeholder: "DIR", help: "where")
    let options = try BenchmarkOptions(["--place=a=b", "--quick", "--deep"], own: [flag, valued])
    #expect(options.isQuick && options.choices.contains(flag))
    #expect(options.choices.value(of: valued) == "a=b")
    let none = try BenchmarkOptions([], own: [flag, valued]).choices
    #expect(!none.contains(flag) && none.value(of: valued) == nil)
    let help = BenchmarkOptions.help(name: "example", purpose: "nothing", own: [flag, valued])
    #expect(help.contains("\n  --deep           dig\n  --place DIR      where\n  --help "))
    for arguments in [["--place"], ["--place="], ["--deep=1"], ["--deep", "--deep"]] {
      #expect(throws: BenchmarkError.self) {
        try BenchmarkOptions(arguments, own: [flag, valued])
      }
    }
    #expect(throws: BenchmarkError.self) { try BenchmarkOptions(["--deep"]) }
  }

  @Test("No option means a thorough run, and --quick a shorter one")
  func plans() throws {
    let thorough = try BenchmarkOptions([]).plan
    let quick = try BenchmarkOptions(["--quick"]).plan
    #expect(quick.trial < thorough.trial && quick.minimumRounds < thorough.minimumRounds)
    #expect(thorough.sample >= .microseconds(200) && quick.sample >= .microseconds(200))
  }

  @Test("Help is asked for in two ways", arguments: ["--help", "-h"])
  func help(option: String) throws {
    #expect(try BenchmarkOptions([option]).wantsHelp)
    let text = BenchmarkOptions.help(name: "example", purpose: "nothing")
    for option in ["--json", "--svg", "--compare", "--from", "--quick", "--help"] {
      #expect(text.contains("\n  \(option) "))
    }
  }

  @Test(
    "Wrong options are refused with exit code 2, and the option is named",
    arguments: [
      (["--fast"], "--fast"), (["file"], "file"), (["-q"], "-q"), (["--json"], "--json"),
      (["--json="], "--json"), (["--json", ""], "--json"), (["--quick=1"], "--quick"),
      (["--svg", "a", "--svg", "b"], "--svg"), ([""], "there is no option"), (["--"], "--"),
    ])
  func refusals(arguments: [String], named: String) {
    let error = #expect(throws: BenchmarkError.self) { try BenchmarkOptions(arguments) }
    #expect(error?.exitCode == 2)
    #expect(error?.message.contains(named) == true)
  }
}
