// SPDX-License-Identifier: Apache-2.0
// One file of profiles as it stands: its sections, their settings, and the lines they are on.

/// A file of profiles, such as `~/.aws/config` or `~/.aws/credentials`, as botocore reads one.
///
/// - A section begins with `[name]`; what follows the last bracket on the line is ignored. None may
///   occur twice. What is in `[DEFAULT]`, in upper case, holds for all sections that do not say
///   otherwise.
/// - A setting is `name = value` or `name: value`; its name is read in lower case, and none may occur
///   twice in one section.
/// - A line that is indented deeper than its setting continues the value. A value that begins on the
///   next line holds settings of its own, `name = value` each.
/// - A comment is a whole line that begins with `#` or `;`. After a value, they belong to the value.
///
/// It may hold secrets, and prints the names of its sections only.
public struct ProfileFile: Sendable {
  /// The greatest size that is read: 1,048,576 bytes.
  public static let greatestByteCount = 1_048_576

  /// Where it was read, for messages.
  public let path: String

  /// The sections in their order, those of `[DEFAULT]` worked into each.
  public let sections: [Section]

  /// The sections of a file, in linear time.
  ///
  /// Throws `invalidFile` with the number of the line, and never with what stands on it, for a file
  /// that botocore does not read either, and for one above `greatestByteCount`.
  public init(bytes: some Collection<UInt8>, path: String) throws(CredentialError) {
    if bytes.count > Self.greatestByteCount {
      throw CredentialError(
        .invalidFile,
        "\(path) has \(bytes.count) bytes, more than the \(Self.greatestByteCount) that a file of "
          + "profiles may have; is it the right file?")
    }
    var parser = ProfileFileParser(path: path)
    self.path = path
    self.sections = try parser.sections(of: bytes)
  }
}

extension ProfileFile {
  /// A section, or the profile that sections of two files make together.
  public struct Section: Sendable {
    /// The name: what stands in the brackets, or the name of the profile.
    public let name: String

    /// The settings in their order, its own before those of `[DEFAULT]`; no name occurs twice.
    public var settings: [Setting] {
      let names = Set(own.map { ExactText($0.name) })
      return own + inherited.filter { !names.contains(ExactText($0.name)) }
    }

    let own: [Setting]

    /// What `[DEFAULT]` says, shared by all sections of a file.
    let inherited: [Setting]

    /// The text of a setting; nil when there is none, or when it holds settings of its own.
    public subscript(name: String) -> String? {
      if case .text(let text) = setting(name)?.value { text } else { nil }
    }

    /// A setting by its name, in lower case.
    public func setting(_ name: String) -> Setting? {
      (own.first { $0.name.utf8.elementsEqual(name.utf8) })
        ?? inherited.first { $0.name.utf8.elementsEqual(name.utf8) }
    }
  }

  /// A setting. Its value may be secret.
  public struct Setting: Sendable {
    /// The name, in lower case.
    public let name: String

    /// The value.
    public let value: Value

    /// The path of the file that it stands in.
    public let path: String

    /// The line that it begins on, from 1.
    public let line: Int
  }

  /// What a setting says.
  public enum Value: Sendable {
    /// A text; a line end stands where it was continued.
    case text(String)
    /// Settings one level down, in their order; no name occurs twice, and of two the last counts.
    case settings([(name: String, value: String)])
  }
}

extension ProfileFile: CustomStringConvertible, CustomReflectable {
  /// The path, and the number of sections.
  public var description: String { "\(path) with \(sections.count) sections" }

  /// Nothing: values may be secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ProfileFile.Section: CustomStringConvertible, CustomReflectable {
  /// The name of the section and those of its settings.
  public var description: String {
    "[\(name)] with " + settings.map(\.name).joined(separator: ", ")
  }

  /// Nothing: values may be secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ProfileFile.Setting: CustomStringConvertible, CustomReflectable {
  /// The name, and where it stands.
  public var description: String { "\(name) (\(path), line \(line))" }

  /// Nothing: the value may be secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ProfileFile.Value: CustomStringConvertible, CustomReflectable {
  /// The kind of the value.
  public var description: String {
    switch self {
    case .text(let text): "text of \(text.utf8.count) bytes"
    case .settings(let settings): "\(settings.count) settings"
    }
  }

  /// Nothing: it may be secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
