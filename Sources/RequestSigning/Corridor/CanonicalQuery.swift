// SPDX-License-Identifier: Apache-2.0
// The query in canonical order.

nonisolated extension SigV4 {
  /// SigV4, step 1: CanonicalQueryString.
  struct CanonicalQuery {
    let bytes: [UInt8]

    /// Sorts by encoded name, then by encoded value; a parameter without a value has an empty one.
    init(_ query: Query) {
      let sorted = query.parameters.sorted { left, right in
        left.name == right.name
          ? (left.value ?? []).lexicographicallyPrecedes(right.value ?? [])
          : left.name.lexicographicallyPrecedes(right.name)
      }
      var bytes: [UInt8] = []
      for parameter in sorted {
        if !bytes.isEmpty { bytes.append(ASCII.ampersand) }
        bytes.append(contentsOf: parameter.name)
        bytes.append(ASCII.equals)
        bytes.append(contentsOf: parameter.value ?? [])
      }
      self.bytes = bytes
    }
  }
}
