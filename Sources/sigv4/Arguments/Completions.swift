// SPDX-License-Identifier: Apache-2.0
// Shell completions and the manual page, generated from the descriptions of commands and options.

/// `sigv4 completions bash|zsh|fish`
enum Completions {
  /// The supported shells and their scripts.
  static let shells: [(name: String, script: @Sendable () -> String)] = [
    ("bash", bash), ("zsh", zsh), ("fish", fish),
  ]

  static func run(_ arguments: [String]) throws {
    let operands = try Arguments(arguments, []).operands
    guard operands.count == 1, let shell = shells.first(where: { $0.name == operands[0] }) else {
      throw CommandError(
        .usage, "completions needs the name of one shell.", fix: "Use bash, zsh or fish.")
    }
    try System.write(shell.script(), to: .standardOutput)
  }

  /// Completes the command's options after a '-', otherwise its kinds or files. For `sigv4 curl`,
  /// these are only sigv4's options.
  @Sendable private static func bash() -> String {
    let cases = CommandDescription.all.map { command in
      "    \(command.name)) words='\(choices(of: command).joined(separator: " "))'"
        + " options='\(command.options.flatMap(\.names).joined(separator: " "))' ;;\n"
    }
    return """
      _sigv4() {
        local words options
        COMPREPLY=()
        case ${COMP_WORDS[1]} in
      \(cases.joined())  esac
        if [ "$COMP_CWORD" -eq 1 ]; then
          words='\(names.joined(separator: " ")) help' options='--help --version'
        elif [ "$COMP_CWORD" -eq 2 ] && [ "${COMP_WORDS[1]}" = help ]; then
          words='\(names.joined(separator: " "))'
        fi
        case $2 in
          -*) words=$options ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "$2"))
      }
      complete -o bashdefault -o default -F _sigv4 sigv4

      """
  }

  @Sendable private static func zsh() -> String {
    let commands = CommandDescription.all.map { "    '\(zshText($0.name, $0.summary))'\n" }
    let cases = CommandDescription.all.map { command in
      let options = command.options.flatMap { option in
        option.names.map { name in
          let mark = option.takesValue && name.hasPrefix("--") ? "=" : option.takesValue ? "+" : ""
          let value = option.valueName.map { ":\(zshText($0)):_files" } ?? ""
          return "      '*\(name)\(mark)[\(zshText(option.text))]\(value)' \\\n"
        }
      }
      let operands = choices(of: command)
      let rest = operands.isEmpty ? "_files" : "(\(operands.joined(separator: " ")))"
      return "    \(command.name)) _arguments \\\n\(options.joined())      '*: :\(rest)' ;;\n"
    }
    return """
      #compdef sigv4
      _sigv4() {
        local -a commands=(
      \(commands.joined())    'help:Show the options of a command'
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        local command=$words[2]
        shift words
        (( CURRENT-- ))
        case $command in
      \(cases.joined())    help) _describe command commands ;;
        esac
      }
      compdef _sigv4 sigv4

      """
  }

  @Sendable private static func fish() -> String {
    let first = "complete -c sigv4 -n __fish_use_subcommand -f"
    let commands = CommandDescription.all.map { command in
      "\(first) -a \(command.name) -d \(CurlCommand.quoted(command.summary))\n"
    }
    let options = CommandDescription.all.map { command in
      let prefix = "complete -c sigv4 -n '__fish_seen_subcommand_from \(command.name)'"
      let choices = choices(of: command)
      let operands =
        choices.isEmpty ? "" : "\(prefix) -f -a '\(choices.joined(separator: " "))'\n"
      return operands
        + command.options.map { option in
          let names = option.names.map {
            $0.hasPrefix("--") ? " -l \($0.dropFirst(2))" : " -s \($0.dropFirst())"
          }
          let value = option.takesValue ? " -r" : ""
          return prefix + names.joined() + value + " -d \(CurlCommand.quoted(option.text))\n"
        }.joined()
    }
    return commands.joined() + options.joined()
  }

  private static var names: [String] { CommandDescription.all.map(\.name) }

  /// The fixed operands of a command, such as bash|zsh|fish.
  private static func choices(of command: CommandDescription) -> [String] {
    let operands = command.operands
    return command.kinds
      + (operands.contains("|") ? operands.split(separator: "|").map(String.init) : [])
  }

  /// Escapes strings for _describe and _arguments in single quotes.
  private static func zshText(_ texts: String...) -> String {
    texts.map { text in
      text.unicodeScalars.map { scalar in
        scalar == "'"
          ? "'\\''" : ":[]".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
      }.joined()
    }.joined(separator: ":")
  }
}

/// `sigv4 man`
enum ManualPage {
  static func run(_ arguments: [String]) throws {
    if let operand = try Arguments(arguments, []).operands.first {
      throw CommandError(
        .usage, "man takes no arguments (got \"\(operand)\").", fix: "Remove the argument.")
    }
    try System.write(text, to: .standardOutput)
  }

  static var text: String {
    let commands = CommandDescription.all.map { command in
      let options = command.options.map { option in
        ".TP\n.B \(escaped(HelpText.label(option).drop { $0 == " " }))\n\(escaped(option.text))\n"
      }
      let examples = command.examples.map { escaped($0) + "\n" }.joined()
      return ".SS \(escaped(command.usage))\n" + escaped(command.summary) + ".\n" + options.joined()
        + ".PP\n.EX\n\(examples).EE\n"
    }
    return """
      .TH SIGV4 1 "" "sigv4 \(HelpText.version)"
      .SH NAME
      sigv4 \\- sign requests with AWS Signature Version 4
      .SH SYNOPSIS
      .B sigv4
      .I COMMAND
      [options]
      .SH DESCRIPTION
      A URL is a percent-encoded https://host/path?query or an unencoded
      s3://bucket/key.
      .SH COMMANDS
      \(commands.joined()).SH ENVIRONMENT
      AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,
      AWS_CREDENTIAL_EXPIRATION;
      AWS_PROFILE, AWS_DEFAULT_PROFILE, AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE;
      AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL,
      AWS_IGNORE_CONFIGURED_ENDPOINT_URLS, AWS_USE_FIPS_ENDPOINT,
      AWS_USE_DUALSTACK_ENDPOINT;
      NO_COLOR.
      .SH FILES
      ~/.aws/config, ~/.aws/credentials
      .SH EXIT STATUS
      0: success. 1: failure, such as an unreadable file or an invalid request.
      2: usage error. 3: no usable credentials.
      .B sigv4 curl
      returns curl's exit status.

      """
  }

  /// Escapes a string for groff (groff_char(7)): hyphens stay searchable, and no line looks like a
  /// request.
  private static func escaped(_ text: some StringProtocol) -> String {
    let text = text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
