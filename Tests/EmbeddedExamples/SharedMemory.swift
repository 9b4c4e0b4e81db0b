// SPDX-License-Identifier: Apache-2.0
// Memory for callers that have none in common with the program: JavaScript.

/// Memory of so many bytes.
@c(allocate)
public func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
}

/// Gives memory back.
@c(release)
public func release(_ memory: UnsafeMutableRawPointer) {
  memory.deallocate()
}
