import ProbeCore
import ProbeTesting

/// A correct transport without a network: the host's name determines the result.
struct ScriptedTransport: ProbeTransport {
  var schemes: [URLScheme: Encryption] { ["script": .encrypted] }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    let start = ContinuousClock.now
    var response = try await respond(to: request)
    response.timings.total = start.duration(to: .now)
    return response
  }

  private func respond(to request: ProbeRequest) async throws -> ProbeResponse {
    switch request.url.host {
    case "one", "two":
      return response(request, content: Array("this is \(request.url.host)".utf8))
    case "endless":
      return response(request, content: [UInt8](repeating: 0x78, count: 1 << 20))
    case "silent":
      try await wait(for: request.timeout)
      throw ProbeFailure(.responseTimeout, "nothing came in time", partial: ProbeResponse(url: request.url))
    case "boasting":
      if request.maxHead < 1 << 16 {
        throw ProbeFailure(.httpHeadTooLarge, "the head is larger than allowed")
      }
      return response(request, content: [])
    case "moved":
      var response = response(request, content: [])
      response.head = HTTPResponseHead(status: 302, fields: ["Location": "script://one/"])
      return response
    default:
      throw ProbeFailure(.connectRefused, "\(request.url.host) refused the connection")
    }
  }

  /// Waits, and ends early when the probe is cancelled.
  func wait(for time: Duration) async throws {
    do {
      try await Task.sleep(for: time)
    } catch {
      throw ProbeFailure(.cancelled, "the probe was cancelled")
    }
  }

  private func response(_ request: ProbeRequest, content: [UInt8]) -> ProbeResponse {
    ProbeResponse(
      url: request.url, head: HTTPResponseHead(status: 200), body: Array(content.prefix(request.maxBody)),
      bodyIsCut: content.count > request.maxBody)
  }
}

extension TransportScenario {
  /// A scenario for everything that a ``ScriptedTransport`` does.
  static func scripted(scheme: String = "script") throws -> [TransportScenario] {
    func request(_ host: String) throws -> ProbeRequest {
      ProbeRequest(try ProbeURL("\(scheme)://\(host)/"))
    }
    return [
      .responds(try request("one"), with: "this is one"),
      .responds(try request("two"), with: "this is two"),
      .endlessBody(try request("endless")),
      .neverResponds(try request("silent")),
      .hugeHead(try request("boasting")),
      .redirects(try request("moved"), to: "script://one/"),
      .refuses(try request("closed")),
    ]
  }
}
