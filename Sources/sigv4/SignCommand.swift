nonisolated enum SignCommand {
  static func run(_ arguments: some Sequence<String>) throws(CommandError) {}
}
