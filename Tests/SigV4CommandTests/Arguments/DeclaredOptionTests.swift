// SPDX-License-Identifier: Apache-2.0
// Compares the options, operands and kinds that a command declares with those that it uses.

internal import Foundation
internal import SigningTestSupport
import Testing

@testable import sigv4

@Suite("Declared options and operands of sigv4")
struct DeclaredOptionTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test("Each declared option changes the output of its command")
  func uses() throws {
    for command in CommandDescription.all {
      for option in command.options {
        let uses = OptionUse.all.filter {
          $0.command == command.name && option.names.contains($0.option[0])
        }
        #expect(!uses.isEmpty, "OptionUse has no use of \(option.names) with \(command.name)")
        uses.forEachCase { (use: OptionUse) in
          let without = try fixture.run(command, use.arguments)
          let with = try fixture.run(command, use.arguments + use.option)
          #expect(![2, 3].contains(with.exitCode), "\(with.errors)")
          #expect(
            (with.output, with.errors, with.exitCode)
              != (without.output, without.errors, without.exitCode))
        }
      }
    }
  }

  @Test("Each use in this test is one of a declared option")
  func declared() throws {
    for use in OptionUse.all {
      let options = try CommandDescription.named(use.command).options
      #expect(options.contains { $0.names.contains(use.option[0]) }, "\(use)")
    }
  }

  @Test("Each command accepts the number of operands that its usage shows, and no other")
  func operands() throws {
    for command in CommandDescription.all {
      let operands = try #require(OptionUse.operands[command.name])
      let words = command.operands.replacing("[CURL'S OPTIONS] ", with: "").split(separator: " ")
      let required = words.filter { !$0.hasPrefix("[") }
      #expect(words.contains { $0.contains("...") } || words.count == operands.count)
      let key = ["hmac", "message"].contains(command.name) ? ["--key-variable", "KEY"] : []
      let region =
        command.options.contains { $0.names.contains("--region") } && command.name != "credentials"
        ? ["--region", "us-east-1"] : []
      let output = command.name == "upload" ? ["-o", "OUT"] : []
      let signing = "--url https://a/b " + OptionUse.cloudFrontArguments
      let policy =
        command.name == "cloudfront" ? signing.split(separator: " ").map(String.init) : []
      let message =
        command.name == "message" ? ["--url", "https://a.example/", "--key-id", "k"] : []
      let options = key + region + output + policy + message
      func exitCode(_ operands: [String]) throws -> Int32 {
        try fixture.run(command, options + operands).exitCode
      }
      // 22 is the exit code of the curl here.
      #expect(try exitCode(operands) == (command.name == "curl" ? 22 : 0), "\(command.name)")
      if !words.contains(where: { $0.contains("...") }) {
        let more = operands + [operands.last ?? "more"]
        #expect(try exitCode(more) == 2, "\(command.name) accepts \(more)")
      }
      if !required.isEmpty {
        #expect(try exitCode(Array(operands.dropLast())) == 2, "\(command.name)")
      }
    }
  }

  @Test("Each kind of token accepts its declared options and no other, and the help says so")
  func kinds() throws {
    let token = try CommandDescription.named("token")
    let own = Set(TokenKind.all.flatMap(\.options))
    #expect(Set(own.map(\.name)).count == own.count, "an option is declared twice")
    for kind in TokenKind.all {
      for option in own {
        let result = try fixture.run(token, [kind.name] + option.use)
        let isAccepted = !result.errors.contains("has no option")
        #expect(isAccepted == kind.options.contains(option), "\(kind.name) \(option.name)")
        // The help of these options begins with their kinds.
        let kinds = option.specification.text.prefix { $0 != ":" }.split(separator: ", ")
        #expect(isAccepted == kinds.contains { $0 == kind.name }, "\(kind.name) \(option.name)")
      }
    }
  }

  @Test("Each option that a source file reads is declared, under the name that it reads")
  func reads() throws {
    // Files that read only the options of these commands. All others are shared.
    let commands = [
      "CloudFrontCommand": ["cloudfront"], "CredentialsCommand": ["credentials"],
      "ExplainCommand": ["explain"], "HashCommands": ["hash", "hmac"],
      "GivenMessage": ["message"], "MessageCommand": ["message"], "MessageKey": ["message"],
      "MessageReport": ["message"],
      "PostPolicyCommand": ["post-policy"], "RolesAnywhereCommand": ["credentials"],
      "SendCommand": ["curl"], "SignCommands": ["sign", "presign"], "TokenCommand": ["token"],
      "TokenKind": ["token"], "TokenKinds": ["token"],
      "UploadCommand": ["upload"], "VerifyCommand": ["verify"],
    ]
    let folder = Repository.root.appendingPathComponent("Sources/sigv4")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    var count = 0
    for path in files where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      let file = String(path.split(separator: "/").last ?? "")
      let names = commands[String(file.dropLast(6))] ?? CommandDescription.all.map(\.name)
      let declared = try names.flatMap { try CommandDescription.named($0).options }.map {
        $0.names[0]
      }
      for read in text.matches(of: /(?:has|value|values|number|required)\("(-[^"]+)"/) {
        count += 1
        // `SendCommand` declares -H for itself.
        let isDeclared = declared.contains(String(read.1)) || file == "SendCommand.swift"
        #expect(isDeclared, "\(file) reads \(read.1)")
      }
    }
    #expect(count > 60)
  }
}
