nonisolated enum HMACCommand {
  static func run(_ arguments: some Sequence<String>) throws(CommandError) {}
}
