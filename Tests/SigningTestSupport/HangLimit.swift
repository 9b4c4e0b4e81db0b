// SPDX-License-Identifier: Apache-2.0
// A limit for tests that would wait forever if the code is wrong.

package import Testing

extension Trait where Self == TimeLimitTrait {
  /// Fails a test that hangs. The limit is long, because it includes the time that a test waits for
  /// a thread: there are as many as processors, and some tests compute for minutes.
  package static var endsIfItHangs: Self { .timeLimit(.minutes(10)) }
}
