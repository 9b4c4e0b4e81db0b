// SPDX-License-Identifier: Apache-2.0
// A host that owns many names at its top, as apps do; types with the names of ours are added to it.

// What apps have, and the standard library too.
enum Error: Swift.Error { case offline }
struct Span { let name: String }
struct Result {}
struct Character {}

// What Foundation has.
struct Data {}
struct Date {}
struct URL {}
struct URLRequest {}
struct Notification {}

func sign(_ text: String) -> String { text }
func verify(_ text: String) -> Bool { text.isEmpty }
func hash(_ bytes: [UInt8]) -> [UInt8] { bytes }
func encode(_ bytes: [UInt8]) -> String { "" }
func min(_ first: Int, _ second: Int) -> Int { first - second }
func max(_ first: Int, _ second: Int) -> Int { first + second }
func zip(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] { first }
func precondition(_ condition: Bool) {}

let bytes: [Int] = []
let count = "three"
let host = 1
let index = 2.5
let key = 3
let path = 4
let start = "start"
let state = 5
let text = 6
let url = 7
let value = 8

extension Array {
  var bytes: String { "" }
  var hexadecimal: Int { count }
  func part(_ range: Range<Int>) -> Int { range.count }
}

extension Array where Element == UInt8 {
  var text: Int { count }
}

extension String {
  var bytes: [Int] { [] }
  var byteCount: Int8 { 0 }
  var hexadecimal: Int { utf8.count }
  var utf8Bytes: [Int] { [] }
}

extension StaticString {
  var bytes: [Int] { [] }
  var text: Int { utf8CodeUnitCount }
}

extension UnsafeRawBufferPointer {
  var text: Int { count }
}

extension UInt8 {
  var isDigit: Int { 0 }
}

extension Collection {
  func split(_ separator: Element) -> Int { count }
}
