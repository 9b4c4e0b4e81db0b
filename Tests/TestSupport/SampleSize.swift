// SPDX-License-Identifier: Apache-2.0
// The part of the long tests that runs by default.

internal import Foundation

/// The size of a test that is inherently long: all of it where SIGV4_EXHAUSTIVE=1 is in the
/// environment, as in .ci, and a sample elsewhere.
public func sampleSize(_ sample: Int, of all: Int) -> Int {
  ProcessInfo.processInfo.environment["SIGV4_EXHAUSTIVE"] == "1" ? all : sample
}
