import Testing

@testable import FixtureReplay

/// Forms and queries, as browsers and others send them.
@Suite struct FormFieldsTests {
  private static func texts(_ fields: FormFields) -> [String] {
    fields.fields.map {
      "\(String(decoding: $0.name, as: UTF8.self))=\(String(decoding: $0.value, as: UTF8.self))"
    }
  }

  @Test(arguments: [
    ("a=1&b=2", ["a=1", "b=2"]), ("a=x+y%20z%2B", ["a=x y z+"]), ("a&b=&=c&&", ["a=", "b=", "=c"]),
    ("a=b=c", ["a=b=c"]), ("a=%", ["a=%"]), ("a=%4", ["a=%4"]), ("a=%zz%41", ["a=%zzA"]), ("", []),
    ("%61=%C3%A9&a=2", ["a=é", "a=2"]),
  ])
  func aURLEncodedFormIsRead(_ text: String, _ fields: [String]) {
    #expect(Self.texts(FormFields(urlEncoded: Array(text.utf8))) == fields)
  }

  private static func form(_ type: String, _ body: String) throws -> [String] {
    var reader = ReplayRequestReader(limits: RequestLimits())
    let head =
      "POST /login HTTP/1.1\r\nHost: a\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)"
    reader.receive(Array((head + "\r\n\r\n" + body).utf8))
    guard case .request(let request) = try reader.next() else { return ["no request"] }
    return texts(FormFields(request.head, request.body))
  }

  @Test func theContentTypeDecides() throws {
    #expect(try Self.form("application/x-www-form-urlencoded", "a=1") == ["a=1"])
    #expect(try Self.form("Application/X-WWW-Form-URLencoded ; charset=UTF-8", "a=1") == ["a=1"])
    #expect(try Self.form("text/plain", "a=1") == [])
    #expect(try Self.form("multipart/form-data", "a=1") == [])
  }

  private static func part(_ disposition: String, _ value: String) -> String {
    "--xy\r\nContent-Disposition: \(disposition)\r\n\r\n\(value)\r\n"
  }

  @Test func aMultipartFormIsRead() throws {
    let first = Self.part("form-data; name=\"user\"", "gu\r\n--x\r\nest")
    let rest: [(String, [String])] = [
      ("--xy--\r\n", []), ("--xy--", []),
      (Self.part("form-data; filename=\"a;b\"; name=file", "x") + "--xy--", ["file=x"]),
      (Self.part("form-data; name=\"a\\\"b\\\\c\"", "") + "--xy--", ["a\"b\\c="]),
      (Self.part("attachment", "x") + "--xy--", []),
      ("--xy\r\n\r\nno name\r\n--xy--", []),
      (
        "--xy\r\nContent-Type: text/plain\r\ncontent-disposition: form-data; name=b\r\n\r\n1\r\n--xy--",
        ["b=1"]
      ),
      // A truncated field does not count.
      ("--xy\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n1", []),
      ("--xy\r\nContent-Disposition: form-data; name=\"b\"\r\n--xy--", []),
    ]
    for type in ["multipart/form-data; boundary=xy", "multipart/form-data; charset=x; BOUNDARY=\"xy\""] {
      for (text, fields) in rest {
        #expect(try Self.form(type, first + text) == ["user=gu\r\n--x\r\nest"] + fields, "\(text)")
      }
    }
    #expect(
      try Self.form("multipart/form-data; boundary=xy", "before\r\n" + first + "--xy--\r\nbehind").count == 1)
    #expect(try Self.form("multipart/form-data; boundary=zz", first + "--xy--") == [])
  }

  /// A form may have any other encoding than UTF-8, and its names are compared byte by byte.
  @Test func aNameKeepsItsBytes() {
    let body =
      Array("--xy\r\nContent-Disposition: form-data; name=\"us\u{0}".utf8) + [0xFF, 0xE9]
      + Array("\"\r\n\r\n1\r\n--xy--".utf8)
    let fields = MultipartReader(boundary: Array("xy".utf8), limit: 1).fields(of: body)
    #expect(fields.map(\.name) == [Array("us\u{0}".utf8) + [0xFF, 0xE9]])
    #expect(fields.map(\.value) == [Array("1".utf8)])
  }

  @Test func tooLargeBodiesHaveNoFields() throws {
    let value = String(repeating: "x", count: FormFields.maximumContent)
    #expect(try Self.form("application/x-www-form-urlencoded", "a=" + value) == [])
    #expect(try Self.form("application/x-www-form-urlencoded", "a=" + value.dropLast(2)).count == 1)
    let many = String(repeating: "a=1&", count: FormFields.maximumFields + 1)
    #expect(FormFields(urlEncoded: Array(many.utf8)).fields.count == FormFields.maximumFields)
  }

  /// Every prefix of a form is read, and so is a form in which every line could be the boundary.
  @Test func aTruncatedFormIsRead() throws {
    let whole = Self.part("form-data; name=\"a\"", "1") + Self.part("form-data; name=\"b\"", "2") + "--xy--"
    for count in 0...whole.utf8.count {
      let fields = try Self.form("multipart/form-data; boundary=xy", String(whole.prefix(count)))
      #expect([[], ["a=1"], ["a=1", "b=2"]].contains(fields), "\(count)")
    }
    let lines = String(repeating: "\r\n--x", count: 100_000)
    #expect(try Self.form("multipart/form-data; boundary=xy", lines) == [])
  }

  @Test func routesRequireFields() throws {
    var world = ServerlessWorld(
      Fixture(
        name: "f",
        routes: [
          ReplayRoute(
            "form",
            when: RouteCondition(form: [
              .init(name: "user", value: "guest"), .init(name: "password", value: "sesame*"),
            ]), response: .respond(ComposedResponse(status: 303))),
          ReplayRoute(
            "query", when: RouteCondition(query: [.init(name: "user", value: "*")]),
            response: .respond(ComposedResponse(status: 302))),
          ReplayRoute(
            "both",
            when: RouteCondition(
              query: [.init(name: "step", value: "2")], form: [.init(name: "code", value: "*")]),
            response: .respond(ComposedResponse(status: 301))),
        ]))
    let type = ["Content-Type: application/x-www-form-urlencoded"]
    func post(_ target: String, _ body: String) throws -> String {
      try world.visit("POST http://a.example\(target)", headers: type, body: body)
    }
    #expect(try post("/", "password=sesame%21&user=guest") == "303 form -")
    #expect(try post("/", "user=x&user=guest&password=sesame") == "303 form -")
    #expect(try post("/", "user=Guest&password=sesame") == "404 unmatched")
    guard case .unmatched(let misses) = world.outcome else { return }
    #expect(misses.map(\.description).first == "f/form: expected form field user \"guest\", found \"Guest\"")
    #expect(try world.visit("GET http://a.example/?user=&x") == "302 query -")
    #expect(try world.visit("GET http://a.example/?x=user") == "404 unmatched")
    #expect(try post("/?step=2", "code=") == "301 both -")
    #expect(try post("/?step=2", "codes=") == "404 unmatched")
  }
}
