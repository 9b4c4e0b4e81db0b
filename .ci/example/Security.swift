// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stand-in for Apple's Security where there is none: a keychain in memory, with the names of an item.

import Foundation

/// A dictionary of an item, as Core Foundation names it.
public typealias CFDictionary = [String: Any]
/// Any object, as Core Foundation names it.
public typealias CFTypeRef = AnyObject
/// A status of the system.
public typealias OSStatus = Int32

public let errSecSuccess: OSStatus = 0
public let errSecItemNotFound: OSStatus = -25300
public let errSecDuplicateItem: OSStatus = -25299
public let kSecClass = "class"
public let kSecClassGenericPassword = "genp"
public let kSecAttrService = "svce"
public let kSecAttrAccount = "acct"
public let kSecAttrAccessible = "pdmn"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = "cku"
public let kSecUseDataProtectionKeychain = "nleg"
public let kSecValueData = "v_Data"
public let kSecReturnAttributes = "r_Attributes"
public let kSecReturnData = "r_Data"

nonisolated(unsafe) private var items: [String: CFDictionary] = [:]

private func name(_ query: CFDictionary) -> String { query[kSecAttrService] as? String ?? "" }

/// Adds an item, unless its service has one.
public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  if items[name(attributes)] != nil { return errSecDuplicateItem }
  items[name(attributes)] = attributes
  return errSecSuccess
}

/// Removes the item of a service.
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  items.removeValue(forKey: name(query)) == nil ? errSecItemNotFound : errSecSuccess
}

/// Finds the item of a service.
public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  guard let item = items[name(query)] else { return errSecItemNotFound }
  result?.pointee = NSDictionary(dictionary: item)
  return errSecSuccess
}
