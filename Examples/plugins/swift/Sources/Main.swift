import Foundation
import ProbeCore

/// Accepts a JSON document in which a field has a value, such as `{"status": "up"}`.
struct HealthValidator: ResponseValidator {
  let field, expected: String

  func validate(_ response: ProbeResponse) -> Validation {
    let document = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
    if document?[field] as? String == expected { return .accepted }
    return .rejectedBody(of: response, expected: "\(field) \(expected)")
  }
}

struct Message: Decodable {
  struct Response: Decodable {
    var url: String
    var bodyBase64: Data?
    var bodyIsCut: Bool
  }
  var id: Int?
  var options: [String: String]?
  var response: Response?
}

struct Judgment: Encodable {
  var id: Int
  var accepted: Bool
  var reason, detail: String?
}

@main struct Main {
  static let hello = #"""
    {"hello":1,"kind":"validator","name":"health","examples":[{"options":{"field":"status","expected":"up"},\#
    "accepts":{"status":200,"text":"{\"status\":\"up\"}"},"rejects":{"status":200,"text":"{\"status\":\"down\"}"}}]}
    """#

  static func main() throws {
    send(Data(hello.utf8))
    while let line = readLine() {
      let message = try JSONDecoder().decode(Message.self, from: Data(line.utf8))
      // Other messages, such as cancel, need no response.
      guard let id = message.id, let received = message.response else { continue }
      let (url, body) = (try ProbeURL(received.url), Array(received.bodyBase64 ?? Data()))
      let response = ProbeResponse(url: url, body: body, bodyIsCut: received.bodyIsCut)
      let (field, expected) = (message.options?["field"], message.options?["expected"])
      let rejection = HealthValidator(field: field ?? "status", expected: expected ?? "up").validate(response)
        .rejection
      let reason = rejection?.reason.rawValue
      send(
        try JSONEncoder().encode(
          Judgment(id: id, accepted: reason == nil, reason: reason, detail: rejection?.found)))
    }
  }

  static func send(_ line: Data) {
    FileHandle.standardOutput.write(line + Data("\n".utf8))
  }
}
