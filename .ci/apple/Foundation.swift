// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Apple's Foundation, for the compiler alone: nothing here runs.
// The source of each declaration is the page of its type.

@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC
// https://developer.apple.com/documentation/objectivec/nsobjectprotocol
public protocol NSObjectProtocol: AnyObject {}
// https://developer.apple.com/documentation/objectivec/nsobject-swift.class
open class NSObject: NSObjectProtocol, Equatable, Hashable {
  public init() {}
  open func copy() -> Any { fatalError() }
  public static func == (a: NSObject, b: NSObject) -> Bool { false };
  public func hash(into h: inout Hasher) {}
}
public typealias TimeInterval = Double
// https://developer.apple.com/documentation/foundation/data
public struct Data: Hashable, @unchecked Sendable, RandomAccessCollection, MutableCollection,
  RangeReplaceableCollection
{
  public typealias Index = Int; public typealias Element = UInt8
  public init() {}
  public init(_ c: some Sequence<UInt8>) {}
  public init(repeating: UInt8, count: Int) {}
  public var startIndex: Int { 0 }; public var endIndex: Int { 0 }
  public subscript(i: Int) -> UInt8 {
    get { 0 }
    set {}
  }
  public subscript(r: Range<Int>) -> Data {
    get { self }
    set {}
  }
  public mutating func replaceSubrange<C: Collection>(_ s: Range<Int>, with: C)
  where C.Element == UInt8 {}
  public func withUnsafeBytes<R>(_ b: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
  public mutating func append(_ other: Data) {}
  public typealias SubSequence = Data
  public init(contentsOf url: URL) throws {}
}
// https://developer.apple.com/documentation/foundation/date
public struct Date: Hashable, Comparable, Sendable {
  public init() {}; public init(timeIntervalSince1970: TimeInterval) {}
  public var timeIntervalSince1970: TimeInterval { 0 }
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *) public static var now: Date { Date() }
  public static func < (a: Date, b: Date) -> Bool { false }
}
// https://developer.apple.com/documentation/foundation/uuid
public struct UUID: Hashable, Sendable { public init() {}; public var uuidString: String { "" } }
// https://developer.apple.com/documentation/foundation/urlresourcekey
public struct URLResourceKey: Hashable, Sendable {
  public static let isDirectoryKey = URLResourceKey(); init() {}
}
// https://developer.apple.com/documentation/foundation/urlresourcevalues
public struct URLResourceValues: @unchecked Sendable {
  public init() {}
  public var isDirectory: Bool? { nil }
  public var isExcludedFromBackup: Bool?
}
// https://developer.apple.com/documentation/foundation/url
public struct URL: Hashable, Codable, @unchecked Sendable {
  public init?(string: String) {}; public init(fileURLWithPath: String) {}
  public var absoluteURL: URL { self }; public var baseURL: URL? { nil };
  public var absoluteString: String { "" };
  public var scheme: String? { nil }; public var host: String? { nil }
  public var path: String { "" }; public var isFileURL: Bool { true }
  public var pathExtension: String { "" }
  public var lastPathComponent: String { "" }
  public func resolvingSymlinksInPath() -> URL { self }
  public func resourceValues(forKeys: Set<URLResourceKey>) throws -> URLResourceValues {
    fatalError()
  }
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *) public static var applicationSupportDirectory:
    URL
  { fatalError() }
  public mutating func setResourceValues(_ values: URLResourceValues) throws {}
  public func deletingLastPathComponent() -> URL { self };
  public func appendingPathComponent(_ s: String) -> URL { self }
}
// https://developer.apple.com/documentation/foundation/nsnumber
public class NSNumber: NSObject, @unchecked Sendable { public var intValue: Int { 0 } }
// https://developer.apple.com/documentation/foundation/fileattributekey
public struct FileAttributeKey: Hashable, RawRepresentable, @unchecked Sendable {
  public let rawValue: String; public init(rawValue: String) { self.rawValue = rawValue }
  public static let size = FileAttributeKey(rawValue: ""), type = FileAttributeKey(rawValue: ""),
    posixPermissions = FileAttributeKey(rawValue: ""),
    modificationDate = FileAttributeKey(rawValue: "")
  @available(macOS, unavailable) public static let protectionKey = FileAttributeKey(rawValue: "")
}
// https://developer.apple.com/documentation/foundation/fileattributetype
public struct FileAttributeType: Hashable, RawRepresentable, @unchecked Sendable {
  public let rawValue: String; public init(rawValue: String) { self.rawValue = rawValue }
  public static let typeRegular = FileAttributeType(rawValue: "")
}
// https://developer.apple.com/documentation/foundation/fileprotectiontype
public struct FileProtectionType: Hashable, RawRepresentable, @unchecked Sendable {
  public let rawValue: String; public init(rawValue: String) { self.rawValue = rawValue }
  @available(macOS, unavailable) public static let completeUntilFirstUserAuthentication =
    FileProtectionType(rawValue: "")
}
// https://developer.apple.com/documentation/foundation/filemanager
open class FileManager: NSObject {
  nonisolated(unsafe) static let d = FileManager(); open class var `default`: FileManager { d }
  open func attributesOfItem(atPath: String) throws -> [FileAttributeKey: Any] { [:] }
  open func createFile(atPath: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil)
    -> Bool
  { true }
  open func setAttributes(_: [FileAttributeKey: Any], ofItemAtPath: String) throws {}
  open func fileExists(atPath: String) -> Bool { true }
  open func removeItem(at: URL) throws {}
  open func createDirectory(
    at: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  open var temporaryDirectory: URL { URL(fileURLWithPath: "") }
}
// https://developer.apple.com/documentation/foundation/filehandle
open class FileHandle: NSObject, @unchecked Sendable {
  public convenience init(fileDescriptor: Int32, closeOnDealloc: Bool) { self.init() }
  public convenience init(forReadingFrom: URL) throws { self.init() };
  public convenience init(forWritingTo: URL) throws { self.init() }
  @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *) public func read(upToCount: Int)
    throws -> Data?
  { nil }
  @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *) public func write<T: DataProtocol>(
    contentsOf: T
  ) throws {}
  @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *) public func close() throws {}
  @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *) public func synchronize() throws {}
  @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *) public func truncate(
    atOffset: UInt64
  ) throws {}
  @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *) public func seek(toOffset: UInt64)
    throws
  {}
}
// https://developer.apple.com/documentation/foundation/dataprotocol
public protocol DataProtocol: RandomAccessCollection
where Element == UInt8, SubSequence: DataProtocol {}
extension Data: DataProtocol {}
extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}
// https://developer.apple.com/documentation/foundation/cocoaerror
public struct CocoaError: Error, Sendable {
  public struct Code: Hashable, Sendable {
    public static let fileReadUnknown = Code(), fileWriteUnknown = Code(),
      fileReadNoSuchFile = Code()
    ; init() {}
  }
  public init(_ c: Code) {}; public var code: Code { .fileReadUnknown }
  public static var fileReadUnknown: Code { .fileReadUnknown };
  public static var fileWriteUnknown: Code { .fileWriteUnknown }
}
// https://developer.apple.com/documentation/foundation/nserror
open class NSError: NSObject, Error, @unchecked Sendable {
  public convenience init(domain: String, code: Int, userInfo: [String: Any]? = nil) { self.init() }
  open var domain: String { "" }; open var code: Int { 0 }; open var userInfo: [String: Any] { [:] }
}
public let NSPOSIXErrorDomain = "", NSUnderlyingErrorKey = ""
// The compiler calls it for `as NSError`.
public func _convertErrorToNSError(_ error: any Error) -> NSError { NSError() }
// https://developer.apple.com/documentation/foundation/urlerror
public struct URLError: Error, Sendable {
  public struct Code: Hashable, RawRepresentable, Sendable {
    public let rawValue: Int; public init(rawValue: Int) { self.rawValue = rawValue }
    public static var timedOut: Code { Code(rawValue: 0) };
    public static var networkConnectionLost: Code { Code(rawValue: 0) };
    public static var cannotConnectToHost: Code { Code(rawValue: 0) }
  }
  public init(_ c: Code) {}; public var code: Code { .timedOut }
  public static var timedOut: Code { .timedOut };
  public static var networkConnectionLost: Code { .timedOut };
  public static var cannotConnectToHost: Code { .timedOut }
}
extension Error { public var localizedDescription: String { "" } }
// https://developer.apple.com/documentation/foundation/localizederror
public protocol LocalizedError: Error { var errorDescription: String? { get } }
// https://developer.apple.com/documentation/foundation/characterset
public struct CharacterSet: Sendable { public init(charactersIn: String) {} }
extension StringProtocol {
  public func trimmingCharacters(in: CharacterSet) -> String { "" };
  public func components(separatedBy: some StringProtocol) -> [String] { [] }
}
// https://developer.apple.com/documentation/foundation/processinfo
open class ProcessInfo: NSObject, @unchecked Sendable {
  open class var processInfo: ProcessInfo { fatalError() };
  open var environment: [String: String] { [:] }
}
// https://developer.apple.com/documentation/foundation/inputstream
open class InputStream: NSObject {}
// https://developer.apple.com/documentation/foundation/urlrequest
public struct URLRequest: Hashable, @unchecked Sendable {
  public init(url: URL) {}
  public var url: URL?; public var httpMethod: String?;
  public var allHTTPHeaderFields: [String: String]?; public var httpBody: Data?
  public var httpBodyStream: InputStream? {
    get { nil }
    set {}
  }
  public var httpShouldHandleCookies: Bool {
    get { true }
    set {}
  };
  public var timeoutInterval: TimeInterval {
    get { 0 }
    set {}
  }
  public func value(forHTTPHeaderField: String) -> String? { nil };
  public mutating func setValue(_ v: String?, forHTTPHeaderField: String) {}
  public mutating func addValue(_ v: String, forHTTPHeaderField: String) {}
  public enum CachePolicy: UInt, @unchecked Sendable { case reloadIgnoringLocalCacheData }
}
// https://developer.apple.com/documentation/foundation/urlresponse
open class URLResponse: NSObject, @unchecked Sendable {
  open var expectedContentLength: Int64 { 0 }
}
// https://developer.apple.com/documentation/foundation/httpurlresponse
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  public init?(
    url: URL, statusCode: Int, httpVersion HTTPVersion: String?, headerFields: [String: String]?
  ) { super.init() }
  open var statusCode: Int { 0 }; open var allHeaderFields: [AnyHashable: Any] { [:] }
  @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *) open func value(forHTTPHeaderField: String)
    -> String?
  { nil }
}
// https://developer.apple.com/documentation/foundation/httpcookiestorage
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}
// https://developer.apple.com/documentation/foundation/httpcookie/acceptpolicy
extension HTTPCookie { public enum AcceptPolicy: UInt, @unchecked Sendable { case never } }
// https://developer.apple.com/documentation/foundation/httpcookie
open class HTTPCookie: NSObject, @unchecked Sendable {}
// https://developer.apple.com/documentation/foundation/urlcache
open class URLCache: NSObject, @unchecked Sendable {}
// https://developer.apple.com/documentation/foundation/urlcredentialstorage
open class URLCredentialStorage: NSObject, @unchecked Sendable {}
// https://developer.apple.com/documentation/foundation/urlsessionconfiguration
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  open class func background(withIdentifier: String) -> URLSessionConfiguration { fatalError() }
  open class var ephemeral: URLSessionConfiguration { fatalError() };
  open class var `default`: URLSessionConfiguration { fatalError() }
  open var identifier: String? { nil }
  open var httpAdditionalHeaders: [AnyHashable: Any]?;
  open var connectionProxyDictionary: [AnyHashable: Any]?
  open var httpCookieStorage: HTTPCookieStorage?; open var httpShouldSetCookies = false;
  open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy = .never
  open var httpMaximumConnectionsPerHost = 6;
  open var urlCache: URLCache?; open var urlCredentialStorage: URLCredentialStorage?;
  open var requestCachePolicy: URLRequest.CachePolicy = .reloadIgnoringLocalCacheData
}
// https://developer.apple.com/documentation/foundation/urlsessiontask
open class URLSessionTask: NSObject, @unchecked Sendable {
  open var taskIdentifier: Int { 0 }; open func resume() {}; open func cancel() {}
  open var taskDescription: String?
  open var response: URLResponse? { nil }; open var originalRequest: URLRequest? { nil }
}
// https://developer.apple.com/documentation/foundation/urlsessiondatatask
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
// https://developer.apple.com/documentation/foundation/urlsessionuploadtask
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
// https://developer.apple.com/documentation/foundation/operationqueue
open class OperationQueue: NSObject, @unchecked Sendable {}
// https://developer.apple.com/documentation/foundation/urlsessiondelegate
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}
extension URLSessionDelegate {
  public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}
// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
extension URLSessionTaskDelegate {
  public func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {}
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {}
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {}
}
// https://developer.apple.com/documentation/foundation/urlsessiondatadelegate
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}
// https://developer.apple.com/documentation/foundation/urlsession
open class URLSession: NSObject, @unchecked Sendable {
  public convenience init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue: OperationQueue?
  ) { self.init() }
  open func finishTasksAndInvalidate() {};
  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *) public var allTasks: [URLSessionTask] {
    get async { [] }
  }
  open func dataTask(with: URLRequest) -> URLSessionDataTask { fatalError() }
  open func uploadTask(with: URLRequest, fromFile: URL) -> URLSessionUploadTask { fatalError() }
}
// https://developer.apple.com/documentation/foundation/urlprotectionspace
open class URLProtectionSpace: NSObject, @unchecked Sendable {
  open var authenticationMethod: String { "" }
  open func isProxy() -> Bool { false }
}
// https://developer.apple.com/documentation/foundation/nsurlauthenticationmethodservertrust
public let NSURLAuthenticationMethodServerTrust = ""
// https://developer.apple.com/documentation/foundation/nsurlauthenticationmethodclientcertificate
public let NSURLAuthenticationMethodClientCertificate = ""
// https://developer.apple.com/documentation/foundation/urlcredential
open class URLCredential: NSObject, @unchecked Sendable {}
// https://developer.apple.com/documentation/foundation/urlauthenticationchallenge
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
  open var protectionSpace: URLProtectionSpace { fatalError() }
}
// https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition
extension URLSession {
  public enum AuthChallengeDisposition: Int, @unchecked Sendable {
    case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
  }
}
// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:didreceive:completionhandler:)
extension URLSessionTaskDelegate {
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {}
}
// https://developer.apple.com/documentation/foundation/jsonencoder
open class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt; public init(rawValue: UInt) { self.rawValue = rawValue }
    @available(macOS 10.13, iOS 11.0, watchOS 4.0, tvOS 11.0, *)
    public static let sortedKeys = OutputFormatting(rawValue: 1)
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 2)
  }
  public init() {}
  open var outputFormatting: OutputFormatting = []
  open func encode<T: Encodable>(_ value: T) throws -> Data { Data() }
}
// https://developer.apple.com/documentation/foundation/jsondecoder
open class JSONDecoder {
  public init() {}
  open func decode<T: Decodable>(_ type: T.Type, from: Data) throws -> T { fatalError() }
}
