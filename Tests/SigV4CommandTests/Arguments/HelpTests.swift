// SPDX-License-Identifier: Apache-2.0
// Help, suggestions, completions and the manual page, which come from one description.

internal import Foundation
internal import SigningTestSupport
import Testing

@testable import sigv4

@Suite("sigv4 help, completions and the manual page")
struct HelpTests {
  @Test("The help of each command fits a screen, explains every option and has two examples")
  func help() throws {
    for command in CommandDescription.all {
      let lines = HelpText.text(of: command).split(
        separator: "\n", omittingEmptySubsequences: false)
      // Kinds have options of their own.
      let limit = command.kindOptions.isEmpty ? 26 : 32
      #expect(lines.count <= limit && lines.last == "", "\(command.name): \(lines.count) lines")
      for line in lines { #expect(line.count <= 80, "\(line)") }
      #expect(command.examples.count == 2)
      #expect(command.examples.allSatisfy { $0.contains("sigv4 \(command.name)") })
      for option in command.options { #expect(!option.text.isEmpty, "\(option.names)") }
    }
    let all = HelpText.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(all.count <= 25 && all.allSatisfy { $0.count <= 80 })
  }

  @Test("Help is printed to standard output, for each way to request it")
  func ways() throws {
    for arguments in [["help"], ["--help"], ["-h"]] {
      let result = try CommandProcess(arguments, environment: [:])
      #expect(result.output == HelpText.text)
      #expect(result.errors == "" && result.exitCode == 0)
    }
    let sign = try HelpText.text(of: .named("sign"))
    for arguments in [
      ["help", "sign"], ["sign", "--help"], ["sign", "-h"], ["sign", "-X", "--help"],
    ] {
      #expect(try CommandProcess(arguments, environment: [:]).output == sign)
    }
    for arguments in [["--version"], ["-V"]] {
      #expect(try CommandProcess(arguments).output == "sigv4 \(HelpText.version)\n")
    }
  }

  @Test("A mistyped command or option suggests the right one")
  func suggestions() {
    ([
      (["sgin", "https://s3.amazonaws.com/"], "Did you mean sign?"),
      (["help", "presing"], "Did you mean presign?"),
      (["cred"], "Did you mean credentials?"),
      (["sign", "--regoin", "a"], "Did you mean --region?"),
      (["sign", "--end-point", "a"], "Did you mean --endpoint?"),
      (["presign", "--expire", "9"], "Did you mean --expires?"),
      (["token", "rdss"], "Did you mean rds?"),
      (["token", "rds", "--host", "a"], "Did you mean --hostname?"),
      (["--hepl"], "Did you mean --help?"),
      (["sign", "--hepl"], "Did you mean --help?"),
      (["sign", "--expires", "5"], "has no option --expires. Use it with presign,"),
      (["token", "rds", "--cluster-name", "a"], "Use it with token memorydb, token eks."),
      (["cloudfront", "sign", "--resource", "a"], "Use it with cloudfront sign-cookies."),
      (["upload", "-X", "PUT"], "This command has no option -X. Use it with sign,"),
      (["completions", "powershell"], "bash, zsh or fish"),
    ] as [([String], String)]).forEachCase { (arguments: [String], message: String) in
      let result = try CommandProcess(arguments)
      #expect(result.exitCode == 2)
      #expect(result.errors.contains(message), "\(result.errors)")
    }
    #expect(Suggestion.text(for: "frobnicate", among: ["sign", "hash"]) == "Check the spelling.")
    #expect(Suggestion.distance("", "abc") == 3)
    #expect(Suggestion.distance("sgin", "sign") == 1)
    #expect(Suggestion.distance("kitten", "sitting") == 3)
  }

  #if os(Linux)
    @Test("Colors are for terminals, and NO_COLOR switches them off")
    func colors() throws {
      // script(1) runs its program in a terminal.
      func onTerminal(_ variables: [String: String]) throws -> String {
        try CommandProcess(
          executable: URL(fileURLWithPath: "/usr/bin/env"),
          ["script", "-qc", "\"$PROGRAM\" help hash; ", "/dev/null"],
          environment: [
            "PATH": "/usr/bin:/bin", "TERM": "xterm", "PROGRAM": CommandProcess.executable.path,
          ].merging(variables) { $1 },
          input: ""
        ).output
      }
      #expect(try onTerminal([:]).contains("\u{1B}[1mExamples\u{1B}[0m"))
      #expect(try !onTerminal(["NO_COLOR": "1"]).contains("\u{1B}"))
      #expect(try !onTerminal(["TERM": "dumb"]).contains("\u{1B}"))
      #expect(try !CommandProcess(["help", "hash"]).output.contains("\u{1B}"))
    }
  #endif

  @Test(
    "Bash completes commands, options and kinds, and zsh and fish, if installed, read their scripts"
  )
  func completions() throws {
    let folder = try TemporaryFolder()
    func run(_ shell: String, _ arguments: [String]) throws -> CommandProcess? {
      let path = "/usr/bin/" + shell
      if !FileManager.default.isExecutableFile(atPath: path) { return nil }
      return try CommandProcess(
        executable: URL(fileURLWithPath: path), arguments,
        environment: ["PATH": "/usr/bin:/bin", "HOME": folder.url.path], input: "")
    }
    let scripts = try ["bash", "zsh", "fish"].map { shell in
      try folder.file(shell, CommandProcess(["completions", shell], environment: [:]).output)
    }
    func bash(_ words: String...) throws -> String? {
      let last = words[words.count - 1]
      return try run(
        "bash",
        [
          "-c",
          "source \(scripts[0]); COMP_WORDS=(\(words.joined(separator: " "))); "
            + "COMP_CWORD=\(words.count - 1); _sigv4 sigv4 '\(last)'; echo ${COMPREPLY[@]}",
        ])?.output
    }
    #expect(try bash("sigv4", "pre") == "presign\n")
    #expect(try bash("sigv4", "presign", "--exp") == "--expires --expires-in\n")
    #expect(try bash("sigv4", "--v") == "--version\n")
    #expect(try bash("sigv4", "token", "e") == "elasticache eks\n")
    #expect(try bash("sigv4", "token", "--cl") == "--cluster-name\n")
    // Bash then completes names of files.
    #expect(try bash("sigv4", "hash", "") == "\n")
    #expect(try bash("sigv4", "presign", "--keys", "") == "\n")
    #expect(try bash("sigv4", "cloudfront", "si") == "sign sign-cookies\n")
    #expect(try bash("sigv4", "help", "has") == "hash\n")
    // With '*:: :', _arguments doesn't complete options after the first operand (zshcompsys(1)).
    let zshScript = try String(contentsOfFile: scripts[1], encoding: .utf8)
    #expect(zshScript.contains("'*: :_files'") && !zshScript.contains("'*::"))
    if let zsh = try run("zsh", ["-n", scripts[1]]) {
      #expect(zsh.exitCode == 0 && zsh.errors == "")
    }
    if let fish = try run(
      "fish", ["-c", "source \(scripts[2]); complete -C 'sigv4 presign --exp'"])
    {
      #expect(fish.output.hasPrefix("--expires\t"))
    }
  }

  @Test("The manual page names each command and option")
  func manual() throws {
    let page = try CommandProcess(["man"], environment: [:]).output
    #expect(page.hasPrefix(".TH SIGV4 1"))
    for command in CommandDescription.all {
      #expect(page.contains(".SS sigv4 \(command.name.replacing("-", with: "\\-"))"))
      for option in command.options {
        #expect(page.contains(option.longName.replacing("-", with: "\\-")))
      }
    }
  }

  @Test("Messages name options, and no declarations of Swift")
  func declarations() throws {
    ([
      (["sign", "https://b.s3.eu-west-1.amazonaws.com/a b"], " Percent-encode the URL"),
      (["sign", "https://b.s3.eu-west-1.amazonaws.com/?a=é"], " Percent-encode the URL"),
      (["post-policy", "--region", "eu-west-1", "s3://bucket"], "--starts-with key=PREFIX"),
      (
        ["sign", "--region", "eu-west-1", "--virtual-hosted", "s3://a.b/c"],
        " Remove --virtual-hosted, or use a different --endpoint."
      ),
      (["post-policy", "s3://m.mrap/key"], " Use the bucket behind it, or a presigned PUT."),
      (
        ["post-policy", "--region", "eu-west-1", "--field", "bucket=x", "s3://bucket/key"],
        " To limit its size, add a length condition."
      ),
      (["post-policy", "https://b.s3.eu-west-1.amazonaws.com/k"], "needs one s3:// URL."),
      (["upload", "-o", "/dev/null", "/usr", "s3://bucket/k"], "Can't read /usr: Is a directory."),
      (
        [
          "cloudfront", "sign", "--url", "https://a.example/", "--ip-address", "192.0.2.1",
          "--date-less-than", "9999-12-31T23:59:59-23:59",
        ],
        "9999-12-31T23:59:59-23:59 isn't a date or time"
      ),
      (
        ["sign", "--region", "eu-west-1", "s3://a--use1-az4--xa-s3/c"],
        " Correct the name, or pass the https:// URL"
      ),
      (
        ["sign", "-H", "x-amz-meta-a: é", "https://b.s3.eu-west-1.amazonaws.com/"],
        " Percent-encode the value of -H"
      ),
      (
        [
          "presign", "--service", "iotdevicegateway", "--region", "eu-west-1", "--expires", "60",
          "wss://a.example/mqtt",
        ],
        " Remove --expires."
      ),
      (
        ["sign", "https://unknown.example/"],
        "Can't determine the service and region of unknown.example."
      ),
    ] as [([String], String)]).forEachCase { (arguments: [String], message: String) in
      let errors = try CommandProcess(arguments).errors
      #expect(errors.contains(message), "\(errors)")
      #expect(!errors.contains(" ."), "\(errors)")
    }
  }
}
