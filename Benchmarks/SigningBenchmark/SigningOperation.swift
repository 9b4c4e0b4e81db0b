// SPDX-License-Identifier: Apache-2.0
// The operations on one request, and their contenders.

internal import BenchmarkSupport

enum SigningOperation: String, CaseIterable {
  case headerText = "header-text"
  case headerTextWide = "header-text-wide"
  case presignText = "presign-text"
  case urlRequest = "url-request"
  case header
  case headerStrings = "header-strings"
  case presign
  case keyDerivation = "key-derivation"

  /// Whether the signature is in a URL.
  var isPresigned: Bool { self == .presign || self == .presignText }

  /// The contest in this operation with this request; `expected` is the signature, or the key.
  func trial(_ task: SigningTask, expected: [UInt8], _ peers: [SigningPeer]) -> Trial {
    let ours = entrants.map { $0.contender(task) }
    let others = hasPeers ? peers.map { $0.contender(task) } : []
    let blockCount = self == .keyDerivation ? task.blocks.derivation : task.blocks.keyKept
    var baselines = [HashBlocks(messages: [blockCount]).contender(HashBlocks.name)]
    if hasDerivation {
      baselines.append(
        HashBlocks(messages: [task.blocks.keyDerived]).contender(HashBlocks.nameWithDerivation))
    }
    return Trial(
      operation: rawValue,
      bytes: self == .keyDerivation ? 64 * blockCount : task.canonicalByteCount, messages: 1,
      baseline: HashBlocks.name, contenders: ours + baselines + others, expected: expected,
      figures: .operations, remark: remark(task.blocks))
  }

  private var entrants: [SigningEntrant] {
    switch self {
    case .headerText: SigningEntrant.headerText
    case .headerTextWide: [SigningEntrant.headerText[0]]
    case .presignText: SigningEntrant.presignText
    case .urlRequest: URLRequestEntrant.all
    case .header: SigningEntrant.header
    case .headerStrings: SigningEntrant.headerStrings
    case .presign: SigningEntrant.presign
    case .keyDerivation: SigningEntrant.keyDerivation
    }
  }

  /// Whether others take part: only from strings, because they accept no existing request.
  private var hasPeers: Bool { self == .headerText || self == .presignText }

  /// Whether some of us derive the key in every call.
  private var hasDerivation: Bool { hasPeers || self == .header || self == .presign }

  private func remark(_ blocks: BlockCounts) -> String {
    switch self {
    case .keyDerivation: "\(blocks.derivation) blocks"
    case .headerStrings, .headerTextWide, .urlRequest:
      "\(blocks.keyKept) blocks, the signing key kept"
    case .headerText, .presignText, .header, .presign:
      "\(blocks.keyKept) blocks with the signing key kept, \(blocks.keyDerived) with a derived one"
    }
  }
}
