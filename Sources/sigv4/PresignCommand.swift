nonisolated enum PresignCommand {
  static func run(_ arguments: some Sequence<String>) throws(CommandError) {}
}
