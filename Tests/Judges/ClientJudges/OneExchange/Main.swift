import BundledPlugins
import Foundation
import ProbeCore

/// Performs one exchange for each line of standard input, all of them at once, and prints a line for each as it
/// ends.
///
/// A line is a ``Question`` in JSON, and the output an ``Outcome``. The judges of the clients use this
/// program, because the command does not print a body as received.
@main struct Main {
  static func main() async throws {
    let prober = Prober(try PluginRegistry.bundled.transports, policy: .plaintextAllowed)
    let output = Output()
    try await withThrowingDiscardingTaskGroup { group in
      while let line = readLine() {
        let question = try JSONDecoder().decode(Question.self, from: Data(line.utf8))
        group.addTask {
          try await output.print(Outcome(of: question, try await question.ending(prober)))
        }
      }
    }
  }
}

/// Standard output, to which long lines are written one after the other.
private actor Output {
  func print(_ outcome: Outcome) throws {
    FileHandle.standardOutput.write(try JSONEncoder().encode(outcome) + Data("\n".utf8))
  }
}

/// A requested exchange.
private struct Question: Decodable, Sendable {
  var id: Int
  var client: String
  var url: String
  var method: String
  var version: String
  var fields: [[String]]
  var body: Data?
  var seconds: Int
  var maxBody: Int
  var authorities: String?
  var proxy: String?
  var user: String?
  var password: String?

  var request: ProbeRequest {
    get throws {
      var request = ProbeRequest(try ProbeURL(url))
      request.timeout = .seconds(seconds)
      request.maxBody = maxBody
      request.http.client = try HTTPClient(client)
      request.http.method = method
      request.http.version = try HTTPVersion(version)
      for field in fields { request.http.headers.append(name: field[0], value: field[1]) }
      request.http.body = body.map(Array.init)
      request.tls.additionalAuthorities = authorities
      request.proxy = try proxy.map { try ProbeProxy($0, user: user, password: password.map(Secret.init)) }
      return request
    }
  }

  /// The response, or the failure.
  func ending(_ prober: Prober) async throws -> Result<ProbeResponse, ProbeFailure> {
    let request = try request
    do throws(ProbeFailure) {
      return .success(try await prober.probe(request))
    } catch {
      return .failure(error)
    }
  }
}

/// The outcome of an exchange.
private struct Outcome: Encodable {
  var id: Int
  var failure: String?
  var detail: String?
  var version: String?
  var status: Int?
  var phrase: String?
  var fields: [[String]]?
  var body: Data?
  var isCut: Bool?
  var deviations: [String]?

  init(of question: Question, _ ending: Result<ProbeResponse, ProbeFailure>) {
    id = question.id
    let response: ProbeResponse?
    switch ending {
    case .success(let whole):
      response = whole
    case .failure(let error):
      response = error.partial
      failure = "\(error.reason)"
      detail = error.detail
    }
    version = response?.head?.version
    status = response?.status
    phrase = response?.head?.reasonPhrase
    fields = response?.head?.fields.map { [$0.name, $0.value] }
    body = (response?.body).map { Data($0) }
    isCut = response?.bodyIsCut
    deviations = response?.deviations.map(\.rawValue)
  }
}
