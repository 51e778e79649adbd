import ProbeCore
import Testing

@testable import Transports

/// The response that a transport in another process gives.
struct ResponseReadingTests {
  private static func pluginResponse(_ response: String) throws -> PluginResponse {
    guard case .response(1, let received) = try PluginLine(Array(#"{"id":1,"response":\#(response)}"#.utf8))
    else {
      throw InvalidInput("no answer")
    }
    return received
  }

  @Test func allMembersAreRead() throws {
    let received = try Self.pluginResponse(
      #"{"status":404,"reasonPhrase":"No","headers":[["A","1"],["A","2"]],"bodyBase64":"aGk=","bodyIsCut":true,"#
        + #""remoteAddress":"[2001:db8::1]:80","timings":{"connect":0.5,"total":2},"captures":{"v":1}}"#)
    guard case .response(let response) = received else {
      Issue.record("no response")
      return
    }
    #expect(response.status == 404)
    #expect(response.head?.reasonPhrase == "No")
    #expect(response.head?.fields.map { "\($0.name)=\($0.value)" } == ["A=1", "A=2"])
    #expect(response.body == Array("hi".utf8))
    #expect(response.bodyIsCut)
    #expect(response.remoteAddress?.description == "[2001:db8::1]:80")
    #expect(response.timings.connect == .milliseconds(500))
    #expect(response.timings.total == .seconds(2))
    #expect(response.captures == ["v": "1"])
  }

  @Test func allMembersAreOptional() throws {
    guard case .response(let response) = try Self.pluginResponse("{}") else {
      Issue.record("no response")
      return
    }
    #expect(response.head == nil && response.body.isEmpty && response.remoteAddress == nil)
  }

  @Test func fieldsAsAnObject() throws {
    guard
      case .response(let response) = try Self.pluginResponse(
        #"{"status":200,"headers":{"A":["1","2"],"B":"3"},"text":"é"}"#)
    else {
      Issue.record("no response")
      return
    }
    #expect(response.head?.fields.map { "\($0.name)=\($0.value)" } == ["A=1", "A=2", "B=3"])
    #expect(response.body == Array("é".utf8))
  }

  @Test(arguments: [
    "[]", #"{"status":20}"#, #"{"status":"200"}"#, #"{"status":200,"headers":[["A"]]}"#,
    #"{"status":200,"headers":{"A":1}}"#,
    #"{"bodyBase64":"a"}"#, #"{"bodyBase64":7}"#, #"{"remoteAddress":"example.com:80"}"#,
    #"{"captures":"x"}"#,
  ])
  func invalidResponsesAreRefused(response: String) {
    #expect(throws: PluginProtocolError.self) { try Self.pluginResponse(response) }
  }

  @Test func aFailureHasTheReceivedData() throws {
    let line = #"{"id":1,"failure":{"reason":"connect.refused","detail":"no\u0007","response":{"text":"x"}}}"#
    guard case .response(1, .failed(let failure)) = try PluginLine(Array(line.utf8)) else {
      Issue.record("no failure")
      return
    }
    #expect(failure.reason == .connectRefused)
    #expect(!failure.detail.contains("\u{7}") && failure.detail.hasPrefix("no"))
    #expect(failure.partial?.body == Array("x".utf8))
  }
}
