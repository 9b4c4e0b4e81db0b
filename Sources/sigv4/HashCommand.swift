nonisolated enum HashCommand {
  static func run(_ arguments: some Sequence<String>) throws(CommandError) {}
}
