// SPDX-License-Identifier: Apache-2.0
// JSON, XML and profile files: a parsed document can be written and parsed again, with the same
// meaning.

internal import CredentialProviders
internal import DocumentSupport

enum DocumentTargets {
  static func json(_ input: FuzzInput) {
    let string = JSONString.bytes(of: input.rest)
    let read = required("a written string is read") { try JSONReader.value(of: string) }
    expect(same(read.text, input.text), "and has the same text")
    expect(!string.contains { $0 < 0x20 }, "it is one line")
    guard let value = try? JSONReader.value(of: input.rest) else { return }
    let written = JSONText(value)
    for text in [written.compact, written.indented] {
      let again = required("what is written is read") { try JSONReader.value(of: text.utf8) }
      expect(same(JSONText(again).compact, written.compact), "a document comes back")
    }
  }

  static func xml(_ input: FuzzInput) {
    let element = CharacterReference.element("a", input.rest)
    let read = required("a written element is read") {
      try XMLFieldReader(element.utf8, root: ["a"])
    }
    let text = read.fields.first?.text ?? ""
    expect(read.fields.count == 1, "it holds no other element")
    expect(same(CharacterReference.element("a", text.utf8), element), "its text comes back")
    guard let document = try? XMLFieldReader(ofAnyRoot: input.rest) else { return }
    let written = document.fields.map { CharacterReference.element("a", $0.text.utf8) }.joined()
    let again = required("fields are read again") {
      try XMLFieldReader("<r>\(written)</r>".utf8, root: ["r"])
    }
    if document.fields.isEmpty { return }
    expect(again.fields.count == document.fields.count, "as many fields come back")
    // The reader takes control characters by number (XML 1.1), and the writer replaces them.
    for (field, before) in zip(again.fields, document.fields) {
      let (text, earlier) = (field.text.utf8, before.text.utf8)
      let isSame = same(
        CharacterReference.element("a", text), CharacterReference.element("a", earlier))
      expect(isSame, "the text of \(before.name) comes back")
    }
  }

  /// Both files, separated by a byte of 0. A comment below changes nothing, nor do ends of lines.
  static func profiles(_ input: FuzzInput) {
    var input = input
    let (config, credentials) = (input.field(before: 0), input.bytes)
    let files = read(config, credentials)
    let commented = read(config + "\n# below".utf8, credentials + "\n; below".utf8)
    expect((files == nil) == (commented == nil), "a comment is read")
    guard let files, let commented else { return }
    expect(files.profileNames == commented.profileNames, "a comment is no profile")
    for name in files.profileNames {
      let profile = files.profile(named: name)
      expect(profile == commented.profile(named: name), "a comment is no setting of \(name)")
      for setting in profile?.settings ?? [] {
        expect(profile?.setting(setting.name) != nil, "\(setting.name) is found")
      }
      let sources = CredentialSources(now: { Signing.now })
      _ = try? ProfileCredentials(profile: name, in: files, sources: sources).description
    }
  }

  private static func read(_ config: [UInt8], _ credentials: [UInt8]) -> ProfileFiles? {
    try? ProfileFiles(
      config: config, at: "config", credentials: credentials, at: "credentials")
  }
}
