// SPDX-License-Identifier: Apache-2.0
// What competes: a function of messages, with the loops that repeat it.

internal import BenchmarkSupport

/// A digest, an authentication code or a checksum, and how it is computed.
protocol MessageFunction {
  /// The size of the output, 32 by default.
  static var byteCount: Int { get }

  /// Writes the output of a message.
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer)

  /// Writes the outputs of two messages, the second one 32 bytes after the first.
  func computePair(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawPointer)
}

extension MessageFunction {
  static var byteCount: Int { 32 }

  @inline(__always)
  func computePair(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawPointer
  ) {
    // Safety: handed on as it came; there are 64 bytes of output.
    unsafe compute(first, into: output)
    unsafe compute(second, into: output + 32)
  }
}

/// A function that computes pairs one after the other, even if it could do more.
struct OneAfterTheOther<Function: MessageFunction>: MessageFunction {
  let function: Function

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: handed on as it came.
    unsafe function.compute(message, into: output)
  }
}

/// A function under its name, ready to be timed with any messages.
struct HashingEntrant {
  let name: String
  /// The contender for only the first message.
  let single: (MessagePair) -> Contender
  let pair: (MessagePair) -> Contender
  let oneAfterTheOther: (MessagePair) -> Contender

  /// Generic, so that the loops are compiled for each function, with nothing between a function and
  /// its repetition. As far as the compiler can know, each output may be written to the message's
  /// memory, so it can't omit a repetition.
  init(_ name: String, _ function: some MessageFunction) {
    self.name = name
    single = { Self.single(name, function, $0) }
    pair = { Self.pair(name, function, $0) }
    oneAfterTheOther = {
      Self.pair(name + ", one stream", OneAfterTheOther(function: function), $0)
    }
  }

  private static func single<Function: MessageFunction>(
    _ name: String, _ function: Function, _ messages: MessagePair
  ) -> Contender {
    let output = ByteBuffer(byteCount: Function.byteCount)
    let message = messages.first
    let run = { (repetitions: Int) in
      // Safety: the buffers are kept by this closure, and the output has its size.
      for _ in 0..<repetitions {
        unsafe function.compute(UnsafeRawBufferPointer(message.bytes), into: output.start)
      }
    }
    return Contender(name: name, run: run, output: { output.array })
  }

  private static func pair(
    _ name: String, _ function: some MessageFunction, _ messages: MessagePair
  ) -> Contender {
    let output = ByteBuffer(byteCount: 64)
    let (first, second) = (messages.first, messages.second)
    let run = { (repetitions: Int) in
      // Safety: the buffers are kept by this closure, and there are 64 bytes of output.
      for _ in 0..<repetitions {
        unsafe function.computePair(
          UnsafeRawBufferPointer(first.bytes), UnsafeRawBufferPointer(second.bytes),
          into: output.start)
      }
    }
    return Contender(name: name, run: run, output: { output.array })
  }
}
