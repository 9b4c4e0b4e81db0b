// SPDX-License-Identifier: Apache-2.0
// Which machine this is, in one line.

internal import Foundation

enum MachineDescription {
  /// The processor, the architecture and the system.
  static var text: String {
    [processor, architecture, ProcessInfo.processInfo.operatingSystemVersionString]
      .joined(separator: ", ")
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86-64"
    #elseif arch(arm64)
      "arm64"
    #else
      "other architecture"
    #endif
  }

  #if canImport(Darwin)
    private static var processor: String {
      var text = [UInt8](repeating: 0, count: 256)
      var count = text.count
      // Safety: the call writes at most `count` bytes.
      let status = unsafe sysctlbyname("machdep.cpu.brand_string", &text, &count, nil, 0)
      return status == 0 ? String(decoding: text.prefix { $0 != 0 }, as: UTF8.self) : unknown
    }
  #else
    private static var processor: String {
      let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
      return text.flatMap(processor(inCPUInformation:)) ?? unknown
    }
  #endif

  private static var unknown: String { "unknown processor" }

  /// The first processor in Linux's /proc/cpuinfo. Many share a name such as "AMD EPYC", so family
  /// and model are added. On arm64, there are only numbers for the maker and the part.
  static func processor(inCPUInformation text: String) -> String? {
    func value(_ name: String) -> String? {
      text.split(separator: "\n").lazy.map { $0.split(separator: ":", maxSplits: 1) }
        .first { $0.count == 2 && $0[0].trimmingCharacters(in: .whitespaces) == name }
        .map { $0[1].trimmingCharacters(in: .whitespaces) }
    }
    if let name = value("model name") {
      guard let family = value("cpu family"), let model = value("model") else { return name }
      return "\(name) (family \(family), model \(model))"
    }
    guard let maker = value("CPU implementer"), let part = value("CPU part") else { return nil }
    return "processor of maker \(maker), part \(part)"
  }
}
