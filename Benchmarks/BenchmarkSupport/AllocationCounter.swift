// SPDX-License-Identifier: Apache-2.0
// Counts heap allocations: the functions below replace glibc's.

#if canImport(Glibc) && !DEBUG
  /// Counts while it runs, on whatever thread.
  enum AllocationCounter {
    /// The number of allocations of one repetition of `run`, or nil if nothing is counted.
    ///
    /// Allocations outside the repetitions cancel out. Other threads can only add some, so the
    /// minimum of several attempts counts, for one repetition and for many. Short ones are made for
    /// 5 ms: a thread that allocates all the time is interrupted in between.
    static func allocations(of run: (_ repetitions: Int) -> Void) -> Double? {
      guard isCounting else { return nil }
      var (one, many) = (Int.max, Int.max)
      var attempts = 0
      let end = ProcessorTime.nanoseconds + 5_000_000
      while attempts < 5 || ProcessorTime.nanoseconds < end {
        attempts += 1
        let start = count
        run(1)
        let middle = count
        run(1 + repetitions)
        (one, many) = (min(one, middle - start), min(many, count - middle))
      }
      return Double(many - one) / Double(repetitions)
    }

    /// Whether an allocation is seen: not where the system's own malloc was bound all the same.
    static var isCounting: Bool {
      let start = count
      let buffer = ByteBuffer(byteCount: 64)
      return count > start && buffer.byteCount == 64
    }

    private static var count: Int {
      // Safety: a number that lacks another thread's latest allocation does no harm.
      unsafe allocationCount
    }

    private static let repetitions = 8
  }

  /// A plain variable: nothing may allocate, wait or be initialised while memory is asked for.
  nonisolated(unsafe) private var allocationCount = 0

  // Package.swift makes the linker bind the name after `counted_` to each of these functions, for
  // the program and, since they're public, for all libraries that it loads.

  /// malloc(3), counted.
  @c(counted_malloc)
  public func countedAllocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    // Safety: glibc's function, called with the caller's arguments, here and below.
    unsafe allocationCount &+= 1
    return unsafe systemAllocate(byteCount)
  }

  /// calloc(3), counted.
  @c(counted_calloc)
  public func countedAllocateZeros(_ count: Int, _ byteCount: Int) -> UnsafeMutableRawPointer? {
    unsafe allocationCount &+= 1
    return unsafe systemAllocateZeros(count, byteCount)
  }

  /// realloc(3), counted.
  @c(counted_realloc)
  public func countedReallocate(
    _ memory: UnsafeMutableRawPointer?, _ byteCount: Int
  ) -> UnsafeMutableRawPointer? {
    unsafe allocationCount &+= 1
    return unsafe systemReallocate(memory, byteCount)
  }

  /// aligned_alloc(3), counted.
  @c(counted_aligned_alloc)
  public func countedAllocateAligned(_ alignment: Int, _ byteCount: Int) -> UnsafeMutableRawPointer?
  {
    unsafe allocationCount &+= 1
    return unsafe systemAllocateAligned(alignment, byteCount)
  }

  /// posix_memalign(3), counted; 12 is ENOMEM.
  @c(counted_posix_memalign)
  public func countedAllocateAligned(
    _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: Int, _ byteCount: Int
  ) -> CInt {
    unsafe allocationCount &+= 1
    unsafe memory.pointee = systemAllocateAligned(alignment, byteCount)
    return unsafe memory.pointee == nil ? 12 : 0
  }

  @_silgen_name("__libc_malloc")
  private func systemAllocate(_ byteCount: Int) -> UnsafeMutableRawPointer?

  @_silgen_name("__libc_calloc")
  private func systemAllocateZeros(_ count: Int, _ byteCount: Int) -> UnsafeMutableRawPointer?

  @_silgen_name("__libc_realloc")
  private func systemReallocate(
    _ memory: UnsafeMutableRawPointer?, _ byteCount: Int
  ) -> UnsafeMutableRawPointer?

  @_silgen_name("__libc_memalign")
  private func systemAllocateAligned(
    _ alignment: Int, _ byteCount: Int
  ) -> UnsafeMutableRawPointer?
#else
  /// Nothing is counted in debug builds, which sanitizers with their own malloc check, or with
  /// another C library.
  enum AllocationCounter {
    static func allocations(of run: (_ repetitions: Int) -> Void) -> Double? { nil }
  }
#endif
