import Foundation
import FoundationXML
import ProbeCore
import Testing

@testable import ProbePipeline

/// Values of earlier steps in requests.
@Suite struct StepReferenceTests {
  static let texts: [(text: String, references: [String])] = [
    ("", []), ("steps.a.b", []), ("${steps.a.b}", ["${steps.a.b}"]),
    ("x${steps.a.b}y${steps.c-1.d_2}", ["${steps.a.b}", "${steps.c-1.d_2}"]),
    ("${steps.a}", []), ("${steps.a.b.c}", []), ("${steps..b}", []), ("${steps.a.b", []),
    ("${vars.a}", []), ("${steps.a b.c}${steps.a.b}", ["${steps.a.b}"]),
    ("$%7Bsteps.a.b%7D", ["${steps.a.b}"]), ("%24%7Bsteps.a.b%7D", ["${steps.a.b}"]),
    ("${steps.${steps.a.b}", ["${steps.a.b}"]),
  ]

  @Test(arguments: texts)
  func referencesAreFound(_ text: String, _ references: [String]) {
    #expect(StepReference.all(in: text).map(\.description) == references)
  }

  private static func filled(_ request: ProbeRequest, _ value: String) -> ProbeRequest {
    request.filled { _ in value }
  }

  @Test func aValueCannotChangeTheURLAroundIt() throws {
    let request = ProbeRequest(try ProbeURL("https://shop.example/u/${steps.a.id}/x?t=${steps.a.t}"))
    #expect(request.stepReferences.map(\.capture) == ["id", "t"])
    #expect(
      request.filledURL { _ in "../a?b#c&d=é" }
        == "https://shop.example/u/..%2Fa%3Fb%23c%26d%3D%C3%A9/x?t=..%2Fa%3Fb%23c%26d%3D%C3%A9")
  }

  @Test func aStepSequenceIsReleasedAfterUse() throws {
    weak var left: StepSequence?
    do {
      let step = try probe("https://shop.example/")
      let sequence = StepSequence([step])
      #expect(try sequence.begin(step).cookies === sequence)
      #expect(sequence.current?.url == "https://shop.example/")
      left = sequence
    }
    #expect(left == nil)
  }

  @Test func valuesCannotSetTheHostOrPort() {
    #expect(throws: InvalidInput.self) { try ProbeURL("https://${steps.a.host}/") }
    #expect(throws: InvalidInput.self) { try ProbeURL("https://shop.example:${steps.a.port}/") }
  }

  static let bodies: [(type: String?, body: String)] = [
    (nil, "v=a\"b&c\\"), ("text/plain", "v=a\"b&c\\"), ("text/html", "v=a\"b&c\\"),
    ("text/xml", "v=a&quot;b&amp;c\\"), ("application/xml ; charset=utf-8", "v=a&quot;b&amp;c\\"),
    ("application/soap+xml", "v=a&quot;b&amp;c\\"), ("Image/SVG+XML", "v=a&quot;b&amp;c\\"),
    ("application/xml-dtd", "v=a\"b&c\\"),
    ("application/x-www-form-urlencoded", "v=a%22b%26c%5C"),
    ("application/json; charset=utf-8", "v=a\\\"b&c\\\\"),
  ]

  @Test(arguments: bodies)
  func aValueIsEscapedForItsContentType(_ type: String?, _ body: String) throws {
    var request = ProbeRequest(try ProbeURL("https://shop.example/"))
    request.http.body = Array("v=${steps.a.v}".utf8)
    if let type { request.http.headers = ["Content-Type": type] }
    #expect(String(decoding: Self.filled(request, "a\"b&c\\").http.body ?? [], as: UTF8.self) == body)
  }

  /// A parser of XML reads the value as it was captured, in a text and in an attribute.
  @Test(arguments: ["a]]>b", "<!--", "'\" \t&amp;", "é 🔑 &#60;"]) func anXMLParserReadsTheValue(
    _ value: String
  ) throws {
    var request = ProbeRequest(try ProbeURL("https://shop.example/"))
    request.http.headers = ["Content-Type": "text/xml"]
    request.http.body = Array("<e a=\"${steps.a.v}\" b='${steps.a.v}'>${steps.a.v}</e>".utf8)
    let reader = XMLParser(data: Data(Self.filled(request, value).http.body ?? []))
    let texts = XMLTexts()
    reader.delegate = texts
    #expect(reader.parse() && texts.found == [value, value, value], "\(texts.found)")
  }

  @Test func headerFieldsAndCredentialsAreFilled() throws {
    var request = ProbeRequest(try ProbeURL("https://shop.example/"))
    request.http.headers = ["X-Token": "t ${steps.a.v}"]
    request.http.credentials = .bearer(Secret("${steps.a.v}"))
    #expect(request.stepReferences.count == 2)
    let filled = Self.filled(request, "secret")
    #expect(filled.http.headers["X-Token"] == "t secret")
    #expect(filled.http.credentials == .bearer(Secret("secret")))
  }
}

/// Collects the attributes and the text of an element.
private final class XMLTexts: NSObject, XMLParserDelegate {
  private(set) var found: [String] = []
  private var text = ""

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
  ) {
    found = ["a", "b"].map { attributeDict[$0] ?? "" }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parserDidEndDocument(_ parser: XMLParser) { found.append(text) }
}
