import FoundationEssentials
import Validators
import ProbeCore
import Testing

@Suite
struct StatusValidatorTests {
  private func response(_ head: HTTPResponseHead?) throws -> ProbeResponse {
    ProbeResponse(url: try ProbeURL("https://example.com/"), head: head)
  }

  @Test(arguments: [
    ("204", [204], [200, 205]),
    (#""204""#, [204], [200]),
    (#""2xx""#, [200, 204, 299], [199, 300]),
    (#""5XX""#, [500, 599], [499]),
    (#""200-299""#, [200, 299], [199, 300]),
    (#"[204, "3xx", "500-503"]"#, [204, 301, 500, 503], [200, 400, 504]),
    ("999", [999], [200]),
  ])
  func judges(json: String, accepted: [Int], rejected: [Int]) throws {
    let options = try JSONDecoder().decode(StatusValidator.Options.self, from: Data(json.utf8))
    let validator = try StatusValidator(options: options)
    #expect(validator.judges == [.status, .content, .http])
    for status in accepted {
      #expect(validator.validate(try response(HTTPResponseHead(status: status))).isAccepted)
    }
    for status in rejected {
      let validation = validator.validate(try response(HTTPResponseHead(status: status)))
      #expect(validation.rejection?.reason == .httpStatus)
    }
    let encoded = try JSONEncoder().encode(options)
    #expect(try JSONDecoder().decode(StatusValidator.Options.self, from: encoded) == options)
  }

  @Test(arguments: [
    (["204"], "204"), (["2xx"], #""2xx""#), (["204", "3xx"], #"[204,"3xx"]"#), (["0204"], #""0204""#),
  ])
  func `the shortest form is written`(statuses: [String], json: String) throws {
    let encoded = try JSONEncoder().encode(StatusValidator.Options(statuses: statuses))
    #expect(String(decoding: encoded, as: UTF8.self) == json)
  }

  @Test func `reports the expected and the actual value`() throws {
    let redirect = HTTPResponseHead(
      status: 302, reasonPhrase: "Found", fields: ["Location": "http://portal.example/"])
    #expect(
      try StatusValidator(204).validate(response(redirect)).rejection?.description
        == #"expected status 204, found 302 Found, a redirect to "http://portal.example/""#)
    #expect(
      try StatusValidator("204", "2xx", "300-303").validate(response(nil)).rejection?.description
        == "expected status 204, 2xx or 300-303, found a response without an HTTP status")
  }

  @Test(arguments: [
    ("abc", #""abc" is not a status: write a code (204), a class (2xx) or a range (200-299)"#),
    ("", #""" is not a status: write a code (204), a class (2xx) or a range (200-299)"#),
    ("0xx", #""0xx" is not a status: write a code (204), a class (2xx) or a range (200-299)"#),
    ("+204", #""+204" is not a status: write a code (204), a class (2xx) or a range (200-299)"#),
    ("200-", #""200-" is not a status: write a code (204), a class (2xx) or a range (200-299)"#),
    ("200–299", #""200–299" is not a status: write a code (204), a class (2xx) or a range (200-299)"#),
    ("99", "the status 99 does not exist: codes are from 100 to 999"),
    ("1000", "the status 1000 does not exist: codes are from 100 to 999"),
    ("-204", "the status -204 does not exist: codes are from 100 to 999"),
    ("200-1000", "the status 1000 does not exist: codes are from 100 to 999"),
    ("299-200", "the range 299-200 of statuses runs backwards: write 200-299"),
  ])
  func `invalid statuses are refused`(status: String, message: String) throws {
    let error = try #require(throws: InvalidInput.self) { try StatusValidator(status) }
    #expect(error.description == message)
  }

  @Test func `no status at all is refused`() throws {
    let options = try JSONDecoder().decode(StatusValidator.Options.self, from: Data("[]".utf8))
    let error = try #require(throws: InvalidInput.self) { try StatusValidator(options: options) }
    #expect(error.description == "the list of statuses is empty: give at least one, such as 204 or 2xx")
  }

  @Test(arguments: ["true", "{}", "[true]", "2.5"])
  func `other forms are refused`(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(StatusValidator.Options.self, from: Data(json.utf8))
    }
  }
}
