// SPDX-License-Identifier: Apache-2.0
// SHA-256 without SHA instructions: with vectors if the build has those kernels, otherwise in plain
// Swift.

#if HardwareAcceleration && canImport(HardwareKernels)
  internal import HardwareKernels
#endif

#if HardwareAcceleration && canImport(LaneKernels)
  internal import LaneKernels
  #if arch(x86_64) && !hasFeature(Embedded)
    internal import AVX2Kernels
    internal import AVX512Kernels
  #endif
#endif

#if HardwareAcceleration && canImport(LaneKernels) && (!arch(wasm32) || WebAssemblySIMD)
  extension SHA256.Implementation {
    static var hasLaneKernels: Bool { true }

    /// Compresses blocks of one message.
    func compressAlone(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int
    ) {
      // Safety: guaranteed by the caller.
      #if arch(x86_64) && !hasFeature(Embedded)
        if kernel != .portable && kernel != .vectors {
          if blockCount < 4 {
            unsafe compressFew(state, blocks, blockCount)
          } else {
            unsafe compressMany(state, blocks, blockCount)
          }
          return
        }
      #endif
      unsafe SHA256.PortableCompression.compress(state, blocks, blockCount)
    }

    /// Compresses `blockCount` blocks of each of ``laneCount`` messages, whose states are
    /// contiguous.
    func compressLanes(
      _ states: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeMutablePointer<UnsafeRawPointer>,
      _ blockCount: Int
    ) {
      // Safety: there are a state and `blockCount` blocks for each lane, and 64 constants.
      unsafe withConstants { k in
        switch kernel {
        case .vectors: unsafe SHA256VectorKernel.compressLanes(states, blocks, blockCount, k)
        #if arch(x86_64) && !hasFeature(Embedded)
          case .avx2: unsafe SHA256AVX2Kernel.compressLanes(states, blocks, blockCount, k)
          case .avx512: unsafe SHA256AVX512Kernel.compressLanes(states, blocks, blockCount, k)
          case .wideAVX512:
            unsafe SHA256AVX512Kernel.compressSixteenLanes(states, blocks, blockCount, k)
        #endif
        default: break
        }
      }
    }

    @inline(__always)
    private func withConstants(_ body: (UnsafePointer<UInt32>) -> Void) {
      // Safety: the table has 64 entries and doesn't escape the closure.
      unsafe SHA256.roundConstants.withUnsafeBufferPointer { constants in
        if let k = constants.baseAddress { unsafe body(k) }
      }
    }
  }

  #if arch(x86_64) && !hasFeature(Embedded)
    extension SHA256.Implementation {
      private func compressFew(
        _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int
      ) {
        // Safety: guaranteed by the caller.
        unsafe withConstants { k in
          if kernel == .avx2 {
            unsafe SHA256AVX2Kernel.compressFew(state, blocks, blockCount, k)
          } else {
            unsafe SHA256AVX512Kernel.compressFew(state, blocks, blockCount, k)
          }
        }
      }

      /// 64 words for each of 8 blocks.
      private typealias Schedules = (Words, Words, Words, Words, Words, Words, Words, Words)
      private typealias Words = SIMD64<UInt32>

      /// Computes the schedules of 8 blocks at once. Wipes the schedules, which reveal the blocks.
      private func compressMany(
        _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int
      ) {
        var schedules: Schedules = (.zero, .zero, .zero, .zero, .zero, .zero, .zero, .zero)
        // Safety: neither buffer escapes the closures, and both have the sizes that the kernels
        // require.
        unsafe withUnsafeMutableBytes(of: &schedules) { schedules in
          unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: 8) { lanes in
            guard let start = schedules.baseAddress, let lanes = lanes.baseAddress else { return }
            let words = unsafe start.bindMemory(to: UInt32.self, capacity: 8 * 64)
            unsafe withConstants { k in
              if kernel == .avx2 {
                unsafe SHA256AVX2Kernel.compress(state, blocks, blockCount, k, words, lanes)
              } else {
                unsafe SHA256AVX512Kernel.compress(state, blocks, blockCount, k, words, lanes)
              }
            }
            unsafe ConstantTime.wipe(schedules)
          }
        }
      }
    }
  #endif
#else
  extension SHA256.Implementation {
    static var hasLaneKernels: Bool { false }

    /// Compresses blocks of one message.
    @inline(__always)
    func compressAlone(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int
    ) {
      unsafe SHA256.PortableCompression.compress(state, blocks, blockCount)
    }

    /// Does nothing: no kernel here has more than two lanes.
    func compressLanes(
      _ states: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeMutablePointer<UnsafeRawPointer>,
      _ blockCount: Int
    ) {}
  }
#endif
