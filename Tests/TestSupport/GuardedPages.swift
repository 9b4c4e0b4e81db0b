// SPDX-License-Identifier: Apache-2.0
// Memory between two unreadable pages: a byte too far or too early ends the process.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One readable page, with a forbidden page before it and another after it.
@safe
package final class GuardedPages {
  package let pageSize = Int(getpagesize())
  private let mapping: UnsafeMutableRawPointer

  package init?() {
    // Safety: this object's own three pages. Only the middle one is accessible.
    let readWrite = PROT_READ | PROT_WRITE
    guard
      let mapping = unsafe mmap(nil, 3 * pageSize, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0),
      unsafe mapping != MAP_FAILED, unsafe mprotect(mapping + pageSize, pageSize, readWrite) == 0
    else { return nil }
    unsafe self.mapping = unsafe mapping
  }

  deinit {
    // Safety: nothing else refers to the pages.
    unsafe munmap(mapping, 3 * pageSize)
  }

  /// The readable page.
  package var page: UnsafeMutableRawBufferPointer {
    // Safety: the page was opened above.
    unsafe UnsafeMutableRawBufferPointer(start: mapping + pageSize, count: pageSize)
  }

  /// Copies bytes to a number of bytes before the forbidden page.
  package func place(_ bytes: [UInt8], beforeEnd distance: Int) -> UnsafeRawBufferPointer {
    unsafe place(bytes, afterStart: pageSize - distance - bytes.count)
  }

  /// Copies bytes to a number of bytes after the forbidden page.
  package func place(_ bytes: [UInt8], afterStart distance: Int) -> UnsafeRawBufferPointer {
    // Safety: slicing checks that the bytes fit into the page.
    let place = unsafe UnsafeMutableRawBufferPointer(
      rebasing: page[distance..<distance + bytes.count])
    unsafe place.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(place)
  }

  /// The bytes at both ends and at every offset from them that a test requests.
  package func forEachPlace(
    of bytes: [UInt8], distances: some Sequence<Int>,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    // Safety: the bytes are used only inside the closures.
    for distance in distances {
      try unsafe body(place(bytes, beforeEnd: distance))
      try unsafe body(place(bytes, afterStart: distance))
    }
  }
}
