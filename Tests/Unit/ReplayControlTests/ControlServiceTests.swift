import BundledPlugins
import FixtureReplay
import Foundation
import ProbeServer
import ProbeCore
import ProbeHTTPWire
import TestRequirements
import Testing

@testable import ReplayControl

/// The endpoints of the control, without its sockets.
@Suite(.patience(minutes: 1)) struct ControlServiceTests {
  private static let hotel = Fixture(
    name: "hotel", initialState: "captive",
    routes: [
      ReplayRoute(
        "login", when: RouteCondition(state: "captive", method: "POST"),
        response: .respond(ComposedResponse(status: 303)), goto: "open"),
      ReplayRoute("page", response: .respond(ComposedResponse(body: Array("hello".utf8)))),
    ])

  private let server: ReplayServer
  private let control: ControlService

  init() throws {
    server = try ReplayServer([Self.hotel])
    control = ControlService(server: server, token: ControlToken())
  }

  /// The response to a request, or to the fault that it causes.
  private func response(
    _ method: String, _ target: String, _ body: [UInt8], type: String = "application/json"
  ) async throws -> HTTPServiceResponse {
    var reader = BufferedRequestReader(maximumHead: 10_000, maximumBody: 1 << 20)
    let head =
      "\(method) \(target) HTTP/1.1\r\nHost: x\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
    reader.receive(Array(head.utf8) + body)
    guard case .request(let wire) = try reader.next() else { throw InvalidInput("no request") }
    do throws(HTTPServiceFailure) {
      return try await control.routes.response(to: HTTPServiceRequest(wire))
    } catch {
      return ControlService.response(for: error)
    }
  }

  /// The status and the body of a response.
  private func text(
    _ method: String, _ target: String, _ body: String = "", type: String = "application/json"
  ) async throws -> String {
    let response = try await response(method, target, Array(body.utf8), type: type)
    let text = String(decoding: response.body, as: UTF8.self)
    #expect((try? JSONSerialization.jsonObject(with: Data(response.body))) != nil)
    return "\(response.status) \(text.dropLast())"
  }

  /// Sends requests to the replay server.
  private func visit(_ path: String, method: String = "GET", body: [UInt8] = []) async throws {
    let transports = try PluginRegistry.bundled.transports.routed(to: server)
    var request = ProbeRequest(try ProbeURL("http://shop.example\(path)"))
    // Long enough for a busy machine.
    request.timeout = .seconds(600)
    request.http.method = method
    if !body.isEmpty { request.http.body = body }
    _ = try await Prober(transports, policy: .plaintextAllowed).probe(request)
  }

  @Test func theOverviewListsTheContents() async throws {
    struct Overview: Decodable {
      struct Named: Decodable {
        let name: String
        let states: [String]
        let routes: [String]
      }
      let schema: Int
      let fixtures: [Named]
      let listeners: [String: [String: String]]
      let ca: String
    }
    let body = try await response("GET", "/v1", []).body
    let overview = try JSONDecoder().decode(Overview.self, from: Data(body))
    #expect(overview.schema == 1)
    #expect(overview.fixtures.map(\.name) == ["hotel"])
    #expect(overview.fixtures.first?.states == ["captive", "open"])
    #expect(overview.fixtures.first?.routes == ["login", "page"])
    #expect(overview.listeners["http"] == ["address": "\(server.address(of: .http))", "mode": "open"])
    #expect(overview.ca == server.authorityPEM)
  }

  @Test func statesAreReadSetAndReset() async throws {
    #expect(try await text("GET", "/v1/states") == #"200 {"states":[{"fixture":"hotel","state":"captive"}]}"#)
    #expect(
      try await text("PUT", "/v1/states/hotel", #"{"state":"open"}"#)
        == #"200 {"fixture":"hotel","state":"open"}"#)
    #expect(try server.state(of: "hotel") == "open")
    #expect(try await text("DELETE", "/v1/states/hotel") == #"200 {"fixture":"hotel","state":"captive"}"#)
    #expect(try await text("GET", "/v1/states/hotel") == #"200 {"fixture":"hotel","state":"captive"}"#)
  }

  @Test func eachClientHasItsOwnState() async throws {
    var fixture = Self.hotel
    fixture.session = SessionRules(by: .address, limits: ["open": StateLimit(bytes: 5000, goto: "captive")])
    try server.replace(with: [fixture])
    #expect(
      try await text("GET", "/v1/states/hotel") == #"200 {"clients":[],"fixture":"hotel","state":"captive"}"#)
    let open = #"{"bytesRemaining":5000,"client":"192.0.2.7","state":"open"}"#
    #expect(
      try await text("PUT", "/v1/states/hotel", #"{"state":"open","client":"192.0.2.7"}"#)
        == #"200 {"clients":[\#(open)],"fixture":"hotel","state":"captive"}"#)
    #expect(try server.state(of: "hotel", client: "192.0.2.7") == "open")
    #expect(try server.state(of: "hotel", client: "192.0.2.8") == "captive")
    #expect(
      try await text("PUT", "/v1/states/hotel", #"{"state":"open","client":"x"}"#).hasPrefix("422 "))
    #expect(try await text("DELETE", "/v1/states/hotel?clint=192.0.2.7").hasPrefix("400 "))
    let captive = #"{"client":"192.0.2.7","state":"captive"}"#
    #expect(
      try await text("DELETE", "/v1/states/hotel?client=192.0.2.7")
        == #"200 {"clients":[\#(captive)],"fixture":"hotel","state":"captive"}"#)
    #expect(
      try await text("DELETE", "/v1/states/hotel")
        == #"200 {"clients":[],"fixture":"hotel","state":"captive"}"#)
  }

  @Test(arguments: [
    (
      "PUT", "/v1/states/hotel", #"{"state":"opn"}"#,
      #"422 {"error":{"fix":"did you mean open?","message":"there is no state \"opn\""}}"#
    ),
    (
      "PUT", "/v1/states/motel", #"{"state":"open"}"#,
      #"404 {"error":{"fix":"did you mean hotel?","message":"there is no fixture \"motel\""}}"#
    ),
    (
      "PUT", "/v1/states/hotel", #"{"stat":"open"}"#,
      #"400 {"error":{"fix":"did you mean state?","message":"line 1, column 2: the body has an unknown key \"stat\""}}"#
    ),
    (
      "PUT", "/v1/states/hotel", "{\n \"state\": ",
      #"400 {"error":{"fix":"write a value, or remove the comma","message":"line 2, column 11: there is nothing between two commas or brackets"}}"#
    ),
    (
      "PUT", "/v1/states/hotel", "",
      #"400 {"error":{"fix":"send a JSON object","message":"line 1, column 1: the file is empty"}}"#
    ),
    (
      "PUT", "/v1/listeners/http", #"{"mode":"refusd"}"#,
      #"400 {"error":{"fix":"did you mean refused?","message":"line 1, column 9: mode cannot be \"refusd\""}}"#
    ),
    (
      "PUT", "/v1/listeners/smtp", #"{"mode":"open"}"#,
      #"404 {"error":{"fix":"use http, https or tcp","message":"there is no listener \"smtp\""}}"#
    ),
    (
      "PUT", "/v1/faults/hotel/pag", #"{"kind":"garbage"}"#,
      #"404 {"error":{"fix":"use login or page","message":"the fixture hotel has no route \"pag\""}}"#
    ),
    (
      "PUT", "/v1/faults/hotel/page", #"{"kind":"short-body","bytes":9}"#,
      #"422 {"error":{"fix":"use a smaller number","message":"the response is shorter: short-body can have at most 4 bytes, its body less one byte"}}"#
    ),
    (
      "PUT", "/v1/faults/hotel/page", #"{"kind":"garbage","bytes":9}"#,
      #"400 {"error":{"fix":"omit it","message":"line 1, column 19: the fault garbage has no bytes"}}"#
    ),
    (
      "GET", "/v1/requests?wait=61", "",
      #"400 {"error":{"message":"wait is not a number of seconds from 0 to 60"}}"#
    ),
    (
      "GET", "/v1/requests?wat=1", "",
      #"400 {"error":{"fix":"did you mean wait?","message":"there is no parameter \"wat\""}}"#
    ),
    (
      "GET", "/v1/requests?request=GET", "",
      #"400 {"error":{"fix":"write it as GET http://shop.example/health, POST /login or tcp://mail.example:25","message":"\"GET\" is not a request"}}"#
    ),
    (
      "POST", "/v1/requests", "",
      #"405 {"error":{"fix":"use GET or DELETE","message":"the method \"POST\" is not supported here"}}"#
    ),
    ("GET", "/v2", "", #"404 {"error":{"message":"there is no \"/v2\""}}"#),
  ])
  func anErrorIsExplained(_ method: String, _ target: String, _ body: String, _ expected: String)
    async throws
  {
    #expect(try await text(method, target, body) == expected)
  }

  @Test func listenersAndFaultsAreChanged() async throws {
    let address = "\(server.address(of: .http))"
    #expect(
      try await text("PUT", "/v1/listeners/http", #"{"mode":"refused"}"#)
        == #"200 {"address":"\#(address)","mode":"refused"}"#)
    #expect(server.mode(of: .http) == .refused)
    #expect(
      try await text("DELETE", "/v1/listeners/http") == #"200 {"address":"\#(address)","mode":"open"}"#)
    #expect(
      try await text("PUT", "/v1/faults/hotel/page", #"{"kind":"delay","for":"1500ms","requests":[2,1]}"#)
        == #"200 {"fault":{"for":"1500ms","kind":"delay","requests":[1,2]},"fixture":"hotel","route":"page"}"#
    )
    #expect(
      try await text("PUT", "/v1/faults/hotel/page", "null")
        == #"200 {"fault":null,"fixture":"hotel","route":"page"}"#)
    #expect(try await text("DELETE", "/v1/faults/hotel/page").hasPrefix("200 "))
    #expect(try await text("PUT", "/v1/faults", #"{"enabled":false}"#) == #"200 {"enabled":false}"#)
    #expect(try await text("GET", "/v1/faults") == #"200 {"enabled":false}"#)
  }

  private struct Requests: Decodable {
    struct Entry: Decodable {
      let number: Int
      let method: String?
      let target: String?
      let route: String?
      let outcome: String
      let nearest: [[String: Value]]
      let body: Value
    }
    /// A text, or something else.
    enum Value: Decodable, Equatable {
      case text(String), other
      case base64(String)

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
          self = .text(text)
        } else if let object = try? container.decode([String: String].self) {
          self = .base64(object["base64"] ?? "")
        } else {
          self = .other
        }
      }
    }
    let requests: [Entry]
    let last: Int
  }

  private func requests(_ query: String) async throws -> Requests {
    let response = try await response("GET", "/v1/requests\(query)", [])
    #expect(response.status == 200)
    return try JSONDecoder().decode(Requests.self, from: Data(response.body))
  }

  @Test func requestsAreListedAndFiltered() async throws {
    try await visit("/a")
    try await visit("/b", method: "POST", body: [0xFF, 0x00])
    try await visit("/c")
    let all = try await requests("")
    #expect(all.requests.map(\.target) == ["/a", "/b", "/c"])
    #expect(all.requests.map(\.route) == ["page", "login", "page"])
    #expect(all.requests.map(\.body) == [.text(""), .base64("/wA="), .text("")])
    #expect(all.last == 3)
    #expect(try await requests("?since=2").requests.map(\.number) == [3])
    #expect(try await requests("?route=login").requests.map(\.number) == [2])
    #expect(try await requests("?request=GET%20http://shop.example/*").requests.map(\.number) == [1, 3])
    #expect(try await requests("?unmatched=true").requests.isEmpty)
    // The next page continues after the number in `last`.
    let first = try await requests("?limit=2")
    #expect(first.requests.map(\.number) == [1, 2] && first.last == 2)
    #expect(try await text("DELETE", "/v1/requests") == #"200 {"last":3,"requests":[]}"#)
    let none = try await requests("?since=3")
    #expect(none.requests.isEmpty && none.last == 3)
  }

  @Test func unmatchedRequestsListTheNearestRoutes() async throws {
    try server.replace(with: [
      Fixture(name: "hotel", routes: [ReplayRoute("only", when: RouteCondition(path: "/only"), end: .fin)])
    ])
    try await visit("/other")
    let unmatched = try await requests("?unmatched=true").requests
    #expect(unmatched.map(\.outcome) == ["unmatched"])
    #expect(unmatched.first?.nearest.first?["route"] == .text("only"))
  }

  @Test func aWaitEndsWithTheMatchingRequest() async throws {
    async let waited = requests("?wait=60&request=POST%20/login")
    try await visit("/a")
    try await visit("/login", method: "POST")
    #expect(try await waited.requests.map(\.target) == ["/login"])
  }

  @Test func aWaitWithoutARequestTimesOut() async throws {
    let nothing = try await requests("?wait=0.01")
    #expect(nothing.requests.isEmpty && nothing.last == 0)
  }

  @Test func aFixtureIsReplacedWithItsFiles() async throws {
    let document =
      "version: 1\nname: hotel\nsource: { kind: synthetic, reference: a test }\nroutes:\n  - respond: { body: pages/a.html }\n"
    let body: [String: Any] = [
      "fixture": document, "files": ["pages/a.html": ["base64": Data("other".utf8).base64EncodedString()]],
    ]
    let sent = try JSONSerialization.data(withJSONObject: body)
    let response = try await response("PUT", "/v1/fixtures/hotel", Array(sent))
    #expect(
      String(decoding: response.body, as: UTF8.self) == "{\"fixture\":\"hotel\",\"warnings\":[]}\n")
    #expect(
      server.fixtures.first?.routes.first?.response
        == .respond(ComposedResponse(body: Array("other".utf8))))
  }

  @Test func aFixtureIsAlsoAcceptedAsYAML() async throws {
    let document =
      "version: 1\nname: hotel\nsource: { kind: synthetic, reference: a test }\nroutes:\n  - respond: { status: 204 }\n"
    #expect(
      try await text("PUT", "/v1/fixtures/hotel", document, type: "application/yaml").hasPrefix("200 "))
    #expect(
      try await text("PUT", "/v1/fixtures/motel", document, type: "application/yaml")
        == #"409 {"error":{"fix":"use the same name in both places","message":"the fixture's name is \"hotel\", not \"motel\""}}"#
    )
  }

  /// No file of this machine is read: a name refers to a file in the request, or to nothing.
  @Test(arguments: ["/etc/passwd", "../../etc/passwd", "/dev/zero", "pages/../../../etc/passwd", "."])
  func aReceivedFixtureReadsNoLocalFile(_ name: String) async throws {
    let document =
      "version: 1\nname: hotel\nsource: { kind: synthetic, reference: a test }\nroutes:\n  - respond: { body: '\(name)' }\n"
    let text = try await text("PUT", "/v1/fixtures/hotel", document, type: "text/plain")
    #expect(text.hasPrefix("422 "))
    #expect(text.contains(#""file":"fixture.yaml","#) && text.contains(#""line":5,"#))
    #expect(server.fixtures == [Self.hotel])
  }

  @Test(arguments: [
    #"{"fixture": 3}"#, #"{"fixture": "a", "fils": {}}"#, #"{"fixture": "a", "files": []}"#, "[]", "{",
    #"{"fixture": "a", "files": {"a": 3}}"#, #"{"fixture": "a", "files": {"a": {"base64": "?"}}}"#,
    #"{"fixture": "a", "files": {"../a": ""}}"#, #"{"fixture": "a", "files": {"/a": ""}}"#,
    #"{"fixture": "a", "files": {"a//b": ""}}"#, #"{"fixture": "a", "files": {"fixture.yaml": ""}}"#,
    #"{"fixture": "a", "fixture": "b"}"#,
  ])
  func malformedFixturesAreRefused(_ body: String) async throws {
    #expect(try await text("PUT", "/v1/fixtures/hotel", body).hasPrefix("400 "))
    #expect(server.fixtures == [Self.hotel])
  }
}
