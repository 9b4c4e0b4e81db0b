// SPDX-License-Identifier: Apache-2.0
// The reader of XML fields, compared with XML 1.0 as far as services use it.

internal import SigningTestSupport
internal import DocumentSupport
internal import Foundation
internal import RequestSigning
internal import TestSupport
internal import Testing

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

@Suite("XML field reader")
struct XMLFieldReaderTests {
  /// XML 1.0 (fifth edition); the number is that of the section.
  @Test("Fields are read with their names and texts")
  func accepted() {
    [
      ("2.1, one element", "<A>text</A>", ["A=text"]),
      ("2.1, nested", "<E><Code>c</Code><M>m</M></E>", ["Code=c", "M=m"]),
      ("2.1, deeper", "<R><E><C>1</C></E><C>2</C></R>", ["C=1", "C=2"]),
      ("2.3, whitespace kept", "<A> a\n b\t</A>", ["A= a\n b\t"]),
      ("2.4, between elements nothing counts", "<E>\n x <C>c</C> y\n</E>", ["C=c"]),
      ("2.4, references", "<A>&amp;&lt;&gt;&quot;&apos;</A>", ["A=&<>\"'"]),
      ("2.5, comments", "<!-- <A>&</A> --><A>a<!-- - < -->b</A><!---->", ["A=ab"]),
      ("2.6, instructions", "<?x <A>?><A>a<?y & ?>b</A>", ["A=ab"]),
      ("2.7, CDATA", "<A>1<![CDATA[<b>&amp;]]]]><![CDATA[>]]></A>", ["A=1<b>&amp;]]>"]),
      ("2.8, declaration", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<A/>", ["A="]),
      ("2.11, line ends", "<A>a\r\nb\rc&#13;&#xD;\n</A>", ["A=a\nb\nc\r\r\n"]),
      ("3.1, attributes", "<A x='>' y = \"/A>\"\n z='a&lt;'>t</A>", ["A=t"]),
      ("3.1, end with a space", "<A >t</A\n>", ["A=t"]),
      ("3.1, empty elements", "<E><A/><B /><C x='1'/><D></D></E>", ["A=", "B=", "C=", "D="]),
      ("4.1, numbers", "<A>&#65;&#x41;&#xe9;&#x1F600;&#10;&#xA;</A>", ["A=AAé\u{1F600}\n\n"]),
      ("4.4, once only", "<A>&amp;amp;&#38;lt;</A>", ["A=&amp;&lt;"]),
      ("Appendix F, mark", "\u{FEFF}<A>a</A>", ["A=a"]),
      ("Names, prefix", "<s:E xmlns:s='u'><s:Code>c</s:Code></s:E>", ["Code=c"]),
      ("Names, letters", "<Ö-1._x>é</Ö-1._x>", ["Ö-1._x=é"]),
    ].forEachCase { (section: String, document: String, fields: [String]) in
      let read = try XMLFieldReader(ofAnyRoot: document.utf8).fields
      expect(
        section, read.map { $0.name + "=" + $0.text }.joined(separator: "|"),
        is: fields.joined(separator: "|"))
    }
  }

  @Test("Anything but one element is rejected")
  func refused() {
    [
      "", " ", "text", "<A>", "<A", "<", "</A>", "<A></B>", "<A><B></A></B>", "<A/><B/>", "<A/>x",
      "x<A/>", "<A>&</A>", "<A>&;</A>", "<A>& amp;</A>", "<A>&nbsp;</A>", "<A>&#;</A>",
      "<A>&#x;</A>",
      "<A>&#0;</A>", "<A>&#xD800;</A>", "<A>&#x110000;</A>", "<A>&#99999999;</A>",
      "<A>&#4294967361;</A>",
      "<A>&#-1;</A>", "<A>&#1a;</A>", "<A>&#X41;</A>", "<A>&amp</A>", "&amp;<A/>", "<A>\u{0}</A>",
      "<A>\u{1B}</A>", "<A x></A>", "<A x=1></A>", "<A x='1></A>", "<A x='<'></A>", "<A / >",
      "<1/>",
      "<-a/>", "< A/>", "<A><!-- </A>", "<A><![CDATA[ </A>", "<![CDATA[x]]><A/>", "<A></A",
      "<?xml <A/>",
      "<A></ A>", "<A/", "\u{FEFF}\u{FEFF}<A/>",
    ].forEachCase { (document: String) throws in
      #expect(code { try XMLFieldReader(ofAnyRoot: document.utf8) } == .invalidSyntax)
    }
  }

  @Test("Only the expected root element is read, with any prefix and namespace")
  func roots() throws {
    for document in [
      "<A/>", "<A>1</A>", "<x:A xmlns:x='u'/>", "<A xmlns='u'><B/></A>", "<?x?><A/>",
    ] {
      _ = try XMLFieldReader(document.utf8, root: ["A"])
      _ = try XMLFieldReader(document.utf8, root: ["B", "A"])
      #expect(code { try XMLFieldReader(document.utf8, root: ["B"]) } == .unexpectedRoot)
      #expect(code { try XMLFieldReader(document.utf8, root: []) } == .unexpectedRoot)
    }
    for document in ["<a/>", "<AB/>", "<B><A/></B>", "<A:B/>", "<html>&nbsp;<br></html>", "<Á/>"] {
      #expect(code { try XMLFieldReader(document.utf8, root: ["A"]) } == .unexpectedRoot)
    }
    for document in ["", "<A>", "<A/><A/>", "A"] {
      #expect(code { try XMLFieldReader(document.utf8, root: ["A"]) } == .invalidSyntax)
    }
    let error = #expect(throws: DocumentError.self) {
      try XMLFieldReader("<html><p>hush</p></html>".utf8, root: ["A", "B"])
    }
    #expect(error?.problem.contains("\"html\" instead of A or B") == true)
    #expect(error?.problem.contains("hush") == false)
  }

  @Test("A document type is rejected before anything could grow")
  func documentType() {
    let laughs = """
      <?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>
      <lolz>&lol2;</lolz>
      """
    #expect(code { try XMLFieldReader(ofAnyRoot: laughs.utf8) } == .documentType)
    let file = "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>"
    #expect(code { try XMLFieldReader(ofAnyRoot: file.utf8) } == .documentType)
  }

  @Test("Depth, size and encoding are bounded, in linear time")
  func bounds() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + "x" + String(repeating: "</a>", count: depth)
    }
    #expect(try XMLFieldReader(ofAnyRoot: nested(64).utf8).text(named: "a") == "x")
    #expect(code { try XMLFieldReader(ofAnyRoot: nested(65).utf8) } == .tooDeep)
    #expect(code { try XMLFieldReader(ofAnyRoot: nested(100_000).utf8) } == .tooDeep)
    #expect(code { try XMLFieldReader("<a>1</a>".utf8, root: ["a"], atMost: 7) } == .tooLarge)
    #expect(code { try XMLFieldReader("<a>1</a>".utf8, root: ["a"], atMost: -1) } == .tooLarge)
    #expect(
      code { try XMLFieldReader(ofAnyRoot: [UInt8](repeating: 0x3C, count: 1 << 21)) } == .tooLarge)
    #expect(code { try XMLFieldReader(ofAnyRoot: Array("<a>".utf8) + [0xFF]) } == .invalidText)
    let many = "<r>" + String(repeating: "<a>&lt;</a>", count: 90_000) + "</r>"
    #expect(try XMLFieldReader(ofAnyRoot: many.utf8).fields.count == 90_000)
    for part in ["&", "<!", "<![CDATA[", "<!--", "<?", "<a x='", "&#", "<a>&", "&#1"] {
      let document = "<a>" + String(repeating: part, count: 100_000)
      #expect(code { try XMLFieldReader(ofAnyRoot: document.utf8) } != nil, "\(part)")
    }
  }

  @Test("The fields of an element share its name, so a long one takes memory once")
  func sharedNames() throws {
    let name = String(repeating: "n", count: 100)
    let fields = try XMLFieldReader(ofAnyRoot: "<p:\(name)><x/><y/></p:\(name)>".utf8).fields
    let names = fields.map(\.parent)
    #expect(names == [name, name])
    // A large string's bytes are on the heap, where a copy has a different address.
    let addresses = names.map { name in
      // Safety: the address is only compared.
      unsafe name.utf8.withContiguousStorageIfAvailable { Int(bitPattern: $0.baseAddress) }
    }
    #expect(addresses.first != .some(nil) && Set(addresses).count == 1)
  }

  @Test("No way to print fields shows their texts")
  func hidden() throws {
    let reader = try XMLFieldReader(
      "<C><SecretAccessKey>hush</SecretAccessKey><B/></C>".utf8, root: ["C"])
    #expect(reader.text(named: "SecretAccessKey") == "hush" && reader.text(named: "C") == nil)
    var dumped = ""
    dump(reader, to: &dumped)
    dump(reader.fields, to: &dumped)
    for text in [dumped, "\(reader)", "\(reader.fields)", String(reflecting: reader)] {
      #expect(!text.contains("hush"), "\(text)")
    }
    #expect("\(reader)".contains("SecretAccessKey, B"))
  }

  @Test("Generated documents are read as Foundation's parser reads them")
  func foundation() throws {
    var generator = Xorshift64(seed: 0x786D_6C00_0000_0001)
    for _ in 0..<1_000 {
      let document = "<?xml version='1.0'?>" + element(&generator, depth: 0)
      let theirs = try FoundationFields(document).fields
      let ours = try XMLFieldReader(ofAnyRoot: document.utf8).fields.map { $0.name + "=" + $0.text }
      #expect(ours.elementsEqual(theirs) { $0.utf8.elementsEqual($1.utf8) }, "\(document)")
    }
  }

  func element(_ generator: inout Xorshift64, depth: Int) -> String {
    func one(_ choices: [String]) -> String {
      choices[generator.size(upTo: UInt64(choices.count - 1))]
    }
    let name = one(["A", "b-c", "Code", "x_1", "é"])
    let attributes = one(["", "", " a='1'", " a=\"'>\" b='&amp;'", "\n"])
    let texts = [
      "a", " ", "\n", "\r\n", "&amp;", "&lt;", "&#10;", "&#xe9;", "é", "<!-- x -->",
      "<![CDATA[<&]]>",
      "<?p i?>", "]]", "\u{1F600}", "'", "&quot;",
    ]
    let hasElements = depth < 4 && generator.size(upTo: 1) == 0
    let content = (0..<generator.size(upTo: 5)).map { _ in
      hasElements ? element(&generator, depth: depth + 1) : one(texts)
    }.joined()
    if content.isEmpty {
      return one(["<\(name)\(attributes)/>", "<\(name)\(attributes)></\(name)>"])
    }
    return "<\(name)\(attributes)>\(content)</\(name)\(one(["", " "]))>"
  }

  func code<Result>(_ body: () throws -> Result) -> DocumentError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? DocumentError)?.code
    }
  }
}

/// The innermost elements as Foundation's parser finds them.
private final class FoundationFields: NSObject, XMLParserDelegate {
  var fields: [String] = []
  var hasElements: [Bool] = []
  var text = ""

  init(_ document: String) throws {
    super.init()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = self
    if !parser.parse() { throw parser.parserError ?? CocoaError(.coderReadCorrupt) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    if !hasElements.isEmpty { hasElements[hasElements.count - 1] = true }
    hasElements.append(false)
    text = ""
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if hasElements.popLast() == false { fields.append(name + "=" + text) }
    text = ""
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    text += String(decoding: block, as: UTF8.self)
  }
}
