import Foundation
import ProbeCommand
import ProbeKit

/// Accepts a health document in JSON, such as `{ "status": "pass" }`, with one of the accepted statuses.
struct HealthValidator: ConfigurableValidator {
  struct Options: Codable, SchemaProviding {
    static let schema = ValueSchema.mapping([.key("accept", .list(of: .text), summary: "pass by default")])
    var accept: [String]?
  }
  struct Document: Decodable { var status: String }

  static let name = "health"
  static let examples = [ValidatorExample(Options(), accepts: #"{"status":"pass"}"#, rejects: "<html>")]
  let options: Options

  func validate(_ response: ProbeResponse) -> Validation {
    let document = try? JSONDecoder().decode(Document.self, from: Data(response.body))
    if let document, (options.accept ?? ["pass"]).contains(document.status) { return .accepted }
    return .rejectedBody(of: response, expected: "a health document with an accepted status")
  }
}

/// Carries `file://localhost/path` URLs (RFC 8089), of which nothing is ever on a network.
struct FileTransport: ProbeTransport {
  var schemes: [URLScheme: Encryption] { ["file": .encrypted] }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    let path = request.url.path.removingPercentEncoding ?? ""
    guard let bytes = try? FileHandle(forReadingAtPath: path)?.read(upToCount: request.maxBody + 1) else {
      throw ProbeFailure(ReasonCode(rawValue: "file.unreadable"), "\(path) cannot be read, or is empty")
    }
    let body = Array(bytes.prefix(request.maxBody))
    return ProbeResponse(url: request.url, body: body, bodyIsCut: body.count < bytes.count)
  }
}

@main struct Main {
  static func main() async throws {
    var plugins = try PluginRegistry.bundled
    try plugins.register(HealthValidator.self)
    try plugins.register(FileTransport())
    await CommandLineTool.main(name: "health-probe", version: "1.0", plugins: plugins)
  }
}
