// SPDX-License-Identifier: Apache-2.0
// A service with one of its rules replaced, as a value.

package import RequestSigning

extension SigV4.Service {
  package func with<Rule>(_ rule: WritableKeyPath<Self, Rule>, _ value: Rule) -> Self {
    var service = self
    service[keyPath: rule] = value
    return service
  }
}
