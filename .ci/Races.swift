// SPDX-License-Identifier: Apache-2.0
// Eight threads change a value behind a lock and, with an argument, one that has none: for the gate
// thread-sanitizer, which has to see the second and not the first.

import Dispatch

final class Unguarded: @unchecked Sendable {
  var number = 0
}

let guarded = Guarded([Int]())
let unguarded = Unguarded()
let isRacing = CommandLine.arguments.count > 1
DispatchQueue.concurrentPerform(iterations: 8) { _ in
  for number in 0..<20_000 {
    guarded.withLock { numbers in
      numbers.append(number)
      if numbers.count > 50 { numbers.removeAll() }
    }
    if isRacing { unguarded.number += 1 }
  }
}
