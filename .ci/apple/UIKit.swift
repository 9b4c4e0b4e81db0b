// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Apple's UIKit, for the compiler alone: nothing here runs.
// The source of each declaration is the page of its type.

@_exported import Foundation

// https://developer.apple.com/documentation/uikit/uiapplication
@MainActor open class UIApplication: NSObject {}
// https://developer.apple.com/documentation/uikit/uiapplicationdelegate
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void)
}
