// SPDX-License-Identifier: Apache-2.0
// What a signature covers: component identifiers (RFC 9421, section 2).

/// The values of the standard for HTTP Message Signatures (RFC 9421).
public enum MessageSignature {
  /// A part of a message that a signature covers, such as the method or a field (RFC 9421, section
  /// 2).
  ///
  ///     [.method, .authority, .path, .query, .contentDigest, .field("content-type")]
  public struct Component: Hashable, Sendable, CustomStringConvertible {
    let name: Name
    /// In the order they're written in, which doesn't matter for equality.
    private(set) var parameters: [Parameter]

    enum Name: Hashable {
      /// In lowercase.
      case field([UInt8])
      case derived(DerivedComponent)
    }

    enum Parameter: Hashable {
      case key([UInt8])
      case name([UInt8])
      case structured
      case bytes
      case ofRequest
    }

    private init(_ component: DerivedComponent, _ parameters: Parameter...) {
      name = .derived(component)
      self.parameters = parameters
    }

    private init(field name: String, _ parameters: Parameter...) {
      self.name = .field(name.utf8.map(FieldByte.lowercase))
      self.parameters = parameters
    }

    /// The method (`@method`, RFC 9421, section 2.2.1).
    public static var method: Self { Self(.method) }

    /// The whole URL (`@target-uri`, section 2.2.2). Behind a proxy, cover the parts instead: the
    /// proxy may change the URL's spelling.
    public static var targetURI: Self { Self(.targetURI) }

    /// The host, and the port unless it's the scheme's default (`@authority`, section 2.2.3).
    public static var authority: Self { Self(.authority) }

    /// The scheme, such as `https` (`@scheme`, section 2.2.4).
    public static var scheme: Self { Self(.scheme) }

    /// The target of the request line (`@request-target`, section 2.2.5), for HTTP/1.1 only.
    public static var requestTarget: Self { Self(.requestTarget) }

    /// The path, as it's sent (`@path`, section 2.2.6).
    public static var path: Self { Self(.path) }

    /// The whole query, as it's sent (`@query`, section 2.2.7).
    public static var query: Self { Self(.query) }

    /// The status of a response (`@status`, section 2.2.9).
    public static var status: Self { Self(.status) }

    /// The `Content-Digest` field, which contains a hash of the body (RFC 9530).
    public static var contentDigest: Self { Self(field: "content-digest") }

    /// One value of the query (`@query-param`, section 2.2.8), which must not appear twice.
    ///
    /// - Parameter name: the name, with all but letters, digits and `*-._` percent-encoded (a space
    ///   as `%20`), however the query spells it.
    public static func queryParameter(_ name: String) -> Self {
      Self(.queryParameter, .name(Array(name.utf8)))
    }

    /// A field: all of its lines (section 2.1).
    public static func field(_ name: String) -> Self { Self(field: name) }

    /// One member of a field that's a dictionary (`key`, section 2.1.2).
    public static func field(_ name: String, key: String) -> Self {
      Self(field: name, .key(Array(key.utf8)))
    }

    /// A field in its strict form (`sf`, section 2.1.1), for the fields of RFC 9421, RFC 9530,
    /// `Priority`, `Cache-Status`, `Proxy-Status` and `Client-Cert`.
    public static func structuredField(_ name: String) -> Self { Self(field: name, .structured) }

    /// The same part of the request, in the signature of its response (`req`, section 2.4).
    public var ofRequest: Self {
      var component = self
      component.parameters.append(.ofRequest)
      return component
    }

    /// The identifier as in a signature, such as `"content-digest";req`.
    public var description: String { text.asString }

    /// Compares names, and parameters in any order.
    public static func == (left: Self, right: Self) -> Bool {
      left.name == right.name && Set(left.parameters) == Set(right.parameters)
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
}

extension MessageSignature.Component {
  /// Whether this is a digest of this message's body that's compared with it.
  var coversBody: Bool {
    let isCompared = key.map { $0.isSpelled("sha-256") || $0.isSpelled("sha-512") } ?? true
    guard case .field(let name) = name else { return false }
    return name.isSpelled("content-digest") && !has(.ofRequest) && isCompared
  }

  /// Whether this is the whole `Signature` or `Signature-Input` field, which signing extends
  /// (section 4.3).
  var changesWithSignature: Bool {
    guard case .field(let name) = name, key == nil, !has(.ofRequest) else { return false }
    return name.isSpelled("signature") || name.isSpelled("signature-input")
  }

  func has(_ parameter: Parameter) -> Bool { parameters.contains(parameter) }

  /// The member of a dictionary (`key`).
  var key: [UInt8]? {
    for case .key(let key) in parameters { return key }
    return nil
  }

  /// The same field without `key` and other parameters, but of the same message.
  var wholeField: Self {
    var component = self
    component.parameters = has(.ofRequest) ? [.ofRequest] : []
    return component
  }

  /// The name of a query parameter.
  var queryName: [UInt8]? {
    for case .name(let name) in parameters { return name }
    return nil
  }

  /// The identifier as it's written in a signature.
  var item: StructuredField.Item {
    var item = StructuredField.Item(value: .string(name.text))
    for parameter in parameters {
      switch parameter {
      case .key(let key): item.parameters.set("key", .string(key))
      case .name(let name): item.parameters.set("name", .string(name))
      case .structured: item.parameters.set("sf", .boolean(true))
      case .bytes: item.parameters.set("bs", .boolean(true))
      case .ofRequest: item.parameters.set("req", .boolean(true))
      }
    }
    return item
  }

  var text: [UInt8] { StructuredField.text(of: item) }

  /// Reads an identifier. An unknown name or parameter is an error (RFC 9421, section 2.5).
  init(_ item: StructuredField.Item) throws(MessageSignatureError) {
    guard case .string(let text) = item.value else {
      throw .invalidComponent(StructuredField.text(of: item), "isn't a string")
    }
    guard let name = Name(text) else {
      throw .invalidComponent(StructuredField.text(of: item), "has an unknown name")
    }
    self.name = name
    parameters = []
    for (name, value) in item.parameters.all {
      switch value {
      case .string(let key) where name.isSpelled("key"): parameters.append(.key(key))
      case .string(let query) where name.isSpelled("name"): parameters.append(.name(query))
      case .boolean(true) where name.isSpelled("sf"): parameters.append(.structured)
      case .boolean(true) where name.isSpelled("bs"): parameters.append(.bytes)
      case .boolean(true) where name.isSpelled("req"): parameters.append(.ofRequest)
      default:
        throw .invalidComponent(
          StructuredField.text(of: item), "has an unknown parameter, or one that isn't supported")
      }
    }
  }

  /// Reads an identifier as it's written in a signature, such as `"content-digest";req`.
  package init(identifier: String) throws(MessageSignatureError) {
    let item: StructuredField.Item
    do throws(StructuredField.ParsingError) {
      item = try StructuredField.item(Array(identifier.utf8))
    } catch { throw .invalidComponent(Array(identifier.utf8), "has " + error.problem) }
    try self.init(item)
    try check()
  }

  /// Checks that the parameters belong to this name, and to each other.
  func check() throws(MessageSignatureError) {
    let isText = (name.text + (key ?? []) + (queryName ?? [])).allSatisfy(FieldByte.isPrintable)
    if !isText { throw invalid("isn't ASCII") }
    switch name {
    case .derived(let component):
      let isForFields = key != nil || has(.structured) || has(.bytes)
      if isForFields || (component == .queryParameter) != (queryName != nil) {
        throw invalid("has a parameter that isn't for it, or lacks its name")
      }
    case .field(let name):
      let isName = name.allSatisfy {
        FieldByte.isTokenCharacter($0) && FieldByte.lowercase($0) == $0
      }
      if name.isEmpty || !isName { throw invalid("isn't the name of a field in lowercase") }
      if queryName != nil { throw invalid("has a parameter that isn't for it") }
      if has(.bytes) && (has(.structured) || key != nil) {
        throw invalid("has the parameter bs together with sf or key")
      }
    }
  }

  func invalid(_ problem: String) -> MessageSignatureError { .invalidComponent(text, problem) }

  func unavailable(_ problem: String) -> MessageSignatureError {
    .unavailableComponent(text, problem)
  }
}

/// A component that isn't a field (RFC 9421, section 2.2).
enum DerivedComponent: CaseIterable {
  case method, targetURI, authority, scheme, requestTarget, path, query, queryParameter, status

  var name: String {
    switch self {
    case .method: "@method"
    case .targetURI: "@target-uri"
    case .authority: "@authority"
    case .scheme: "@scheme"
    case .requestTarget: "@request-target"
    case .path: "@path"
    case .query: "@query"
    case .queryParameter: "@query-param"
    case .status: "@status"
    }
  }
}

extension MessageSignature.Component.Name {
  /// Returns nil for the name of an unknown derived component.
  init?(_ text: [UInt8]) {
    if text.first != UInt8(ascii: "@") {
      self = .field(text)
    } else if let component = DerivedComponent.allCases.first(where: { text.isSpelled($0.name) }) {
      self = .derived(component)
    } else {
      return nil
    }
  }

  var text: [UInt8] {
    switch self {
    case .field(let name): name
    case .derived(let component): Array(component.name.utf8)
    }
  }
}
