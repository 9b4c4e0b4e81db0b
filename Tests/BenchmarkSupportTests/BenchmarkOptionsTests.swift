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
