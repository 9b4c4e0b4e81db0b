// SPDX-License-Identifier: Apache-2.0
// The sizes and the number of an upload's parts, from the store's limits and the session's options.

internal import RequestSigning
internal import S3Signing

/// How an upload to a store is split: into parts of one size, except for a smaller last one.
struct PartSizes: Sendable {
  /// The name of the store, or its host.
  let store: String
  let limits: SigV4.UploadLimits
  /// The maximum number of parts: the option, or the store's limit.
  let maximumCount: Int64
  private let isOption: Bool
  /// The size of a part if there aren't too many.
  private let preferred: Int64

  /// - Parameter smallest: a size that the option `partByteCount` only increases.
  ///
  /// - Throws: `invalidPartSize` if the store doesn't accept the options.
  init(
    _ options: SigningSession.Options, at endpoint: SigV4.S3Endpoint, atLeast smallest: Int = 0
  ) throws(TransferError) {
    let named = SigV4.NamedStore.at(endpoint.host)?.store
    let isAWS = SigV4.AWSPartition.isAWS(host: endpoint.host)
    store = named?.name ?? (isAWS ? "Amazon S3" : endpoint.host)
    limits = named?.limits ?? SigV4.UploadLimits()
    isOption = options.maximumPartCount != nil
    maximumCount = options.maximumPartCount.map { Int64($0) } ?? limits.maximumPartCount
    preferred = Int64(max(options.partByteCount, smallest))
    if maximumCount < 1 {
      throw TransferError(
        .invalidPartSize,
        "The option maximumPartCount is \(maximumCount), but an upload has at least one part.",
        fix: "Use the maximum of \(store), or nil.")
    }
    try checkSize(options)
  }

  private func checkSize(_ options: SigningSession.Options) throws(TransferError) {
    let byteCount = Int64(options.partByteCount)
    let option = options.minimumPartByteCount.map { Int64($0) }
    let minimum = max(option ?? limits.partByteCounts.lowerBound, 1)
    if byteCount < minimum {
      let source = option == nil ? store : "the option minimumPartByteCount"
      throw TransferError(
        .invalidPartSize,
        "The option partByteCount is \(byteCount), but \(source) requires parts of at least "
          + "\(minimum) bytes, except the last.",
        fix: "Use \(minimum) or more.")
    }
    let maximum = limits.partByteCounts.upperBound
    if byteCount > maximum {
      throw TransferError(
        .invalidPartSize,
        "The option partByteCount is \(byteCount), but the maximum of \(store) is \(maximum).",
        fix: "Use \(maximum) or less.")
    }
  }

  /// Returns the size of an object's parts, with which there are no more than the maximum.
  ///
  /// - Parameter total: the size of the object, or nil if it's unknown.
  ///
  /// - Throws: `objectTooLarge` if the store doesn't accept an object of this size.
  func byteCount(for total: Int64?) throws(TransferError) -> Int {
    guard let total else { return Int(clamping: preferred) }
    let needed = total / maximumCount + (total % maximumCount).signum()
    if total > limits.maximumObjectByteCount {
      throw tooLarge(total, "\(limits.maximumObjectByteCount)", fix: "")
    }
    if needed > limits.partByteCounts.upperBound {
      throw tooLarge(
        total, "\(maximumCount) parts of \(limits.partByteCounts.upperBound)",
        fix: isOption ? ", or use a larger maximumPartCount in the session's options" : "")
    }
    return Int(clamping: max(preferred, needed))
  }

  /// Returns the size of the parts of an upload with a checkpoint, which is read again only if it
  /// has no more parts than part numbers.
  func byteCount(forCheckpoint total: Int64) throws(TransferError) -> Int {
    let size = try byteCount(for: total)
    if (total - 1) / Int64(size) < PartList.numbers.upperBound { return size }
    throw TransferError(
      .invalidPartSize,
      "The upload would have more than \(PartList.numbers.upperBound) parts, because the option "
        + "maximumPartCount is \(maximumCount).",
      fix: "Use a smaller maximumPartCount, or nil, for uploads that continue.")
  }

  private func tooLarge(_ total: Int64, _ maximum: String, fix: String) -> TransferError {
    TransferError(
      .objectTooLarge,
      "The object is \(total) bytes, but the maximum of \(store) is \(maximum).",
      fix: "Split it into several objects\(fix).")
  }

  /// Throws `invalidPartSize` if the number of a part is above the maximum, because the size of the
  /// object was unknown.
  func check(number: Int, _ partByteCount: Int) throws(TransferError) {
    if Int64(number) <= maximumCount { return }
    let source = isOption ? "the option maximumPartCount" : store
    throw TransferError(
      .invalidPartSize,
      "The body is larger than \(maximumCount) parts of \(partByteCount) bytes, the maximum of "
        + "\(source).",
      fix: "Pass the body's contentLength, so that its parts are large enough, or use a larger "
        + "partByteCount in the session's options.")
  }
}
