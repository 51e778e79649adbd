import Validators
import ProbeCore
import Testing

/// JSON Pointers, by RFC 6901.
@Suite struct JSONPointerTests {
  /// Names are code points (RFC 6901 §3); an accent does not hide the slash before it.
  @Test func accentsAfterSeparators() throws {
    let body = "{\"\u{301}a\":{\"/\u{301}\":1}}"
    #expect(
      try JSONValidator(at: "/\u{301}a/~1\u{301}", equals: .integer(1)).validate(.example(body: body))
        .isAccepted)
  }

  /// The document of RFC 6901 §5.
  private static let document =
    #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#

  @Test(
    arguments: [
      ("/foo/0", .text("bar")), ("/foo/1", .text("baz")), ("/", .integer(0)), ("/a~1b", .integer(1)),
      ("/c%d", .integer(2)), ("/e^f", .integer(3)), ("/g|h", .integer(4)), ("/i\\j", .integer(5)),
      ("/k\"l", .integer(6)), ("/ ", .integer(7)), ("/m~0n", .integer(8)),
      ("/foo", .list([.text("bar"), .text("baz")])),
    ] as [(String, JSONValidator.Value)])
  func theExamplesOfTheStandard(_ pointer: String, _ value: JSONValidator.Value) throws {
    let validator = try JSONValidator(at: pointer, equals: value)
    #expect(validator.validate(.example(body: Self.document)).isAccepted)
  }

  @Test(arguments: [
    ("/no", "no member \"no\" in the document"), ("/foo/2", "no element \"2\" in the 2 of the value at /foo"),
    ("/foo/-", "no element \"-\" in the 2 of the value at /foo"),
    ("/foo/00", "no element \"00\" in the 2 of the value at /foo"),
    ("/foo/bar", "no element \"bar\" in the 2 of the value at /foo"),
    ("/foo/0/x", "a string as the value at /foo/0, which has no members"),
    ("/a/b", "no member \"a\" in the document"),
    ("/foo/99999999999999999999", "no element \"99999999999999999999\" in the 2 of the value at /foo"),
  ])
  func aMissingValueIsExplained(_ pointer: String, _ words: String) throws {
    let validator = try JSONValidator(options: .init([.init(at: pointer)]))
    let rejection = validator.validate(.example(body: Self.document)).rejection
    #expect(rejection?.reason == .bodyMismatch)
    #expect(rejection?.description == "expected a value at \(pointer), found \(words)")
  }

  @Test(arguments: [
    (
      "status",
      "\"status\" is not a JSON Pointer: write it as /status, with a slash before each name or index"
    ),
    (
      "$.checks.db[0]",
      "\"$.checks.db[0]\" is not a JSON Pointer: write it as /checks/db/0, with a slash before each name or index"
    ),
    ("/a~2", "\"/a~2\" has a ~ without 0 or 1 after it: write ~0 for ~, and ~1 for / in a name"),
    ("/a~", "\"/a~\" has a ~ without 0 or 1 after it: write ~0 for ~, and ~1 for / in a name"),
  ])
  func aWrongPointerIsExplained(_ pointer: String, _ words: String) {
    let mistake = #expect(throws: InvalidInput.self) {
      try JSONValidator(options: .init([.init(at: pointer)]))
    }
    #expect(mistake?.description == words)
    #expect(mistake?.path == ["at"])
  }
}
