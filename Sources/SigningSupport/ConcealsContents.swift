// SPDX-License-Identifier: Apache-2.0
// What dump() and debuggers may see of values that hold credentials: what their description says.

#if hasFeature(Embedded)  // There are no mirrors.
  package protocol ConcealsContents {}
#else
  /// A value that shows its description to `dump` and debuggers, and none of its properties.
  package protocol ConcealsContents: CustomReflectable {}

  extension ConcealsContents {
    /// A mirror without children: a property may be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
