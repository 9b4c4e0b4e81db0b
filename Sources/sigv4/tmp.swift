@main nonisolated enum M { static func main() {} }
