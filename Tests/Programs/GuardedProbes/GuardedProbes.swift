import BundledPlugins
import Foundation
import ProbeCore

/// Makes a probe under rules for targets for each line of standard input, and prints a line for each.
///
/// A line is a ``Question`` in JSON, and the output an ``Outcome``. The network tests use this program.
@main struct Main {
  static func main() async throws {
    while let line = readLine() {
      let question = try JSONDecoder().decode(Question.self, from: Data(line.utf8))
      FileHandle.standardOutput.write(
        try JSONEncoder().encode(try await question.outcome()) + Data("\n".utf8))
    }
  }
}

/// A requested probe.
private struct Question: Decodable {
  var url: String
  var client: String
  var milliseconds: Int
  var allowsPrivate: Bool
  var exclusions: String
  /// Whether to look up the addresses before the probe.
  var finds: Bool

  func outcome() async throws -> Outcome {
    let url = try ProbeURL(url)
    var request = ProbeRequest(url)
    request.timeout = .milliseconds(milliseconds)
    request.http.client = try HTTPClient(client)
    let rules = TargetRules(
      allowsPrivate: allowsPrivate, exclusions: try ExclusionList(Array(exclusions.utf8)))
    let transports = try PluginRegistry.bundled.transports.guarded(by: rules)
    var outcome = Outcome()
    do throws(ProbeFailure) {
      if finds {
        let found = try await (transports[url.scheme] as? any AddressFinding)?.addresses(for: request)
        outcome.found = found?.addresses.map(\.address.description)
        outcome.lifetimes = found?.addresses.map { ($0.timeToLive ?? .zero) / .seconds(1) }
        request.knownAddresses = found
      }
      let response = try await Prober(transports, policy: .plaintextAllowed).probe(request)
      outcome.take(response)
    } catch {
      (outcome.reason, outcome.detail) = (error.reason.description, error.detail)
      if let partial = error.partial { outcome.take(partial) }
    }
    return outcome
  }
}

/// The outcome of a probe.
private struct Outcome: Encodable {
  var found: [String]?
  var lifetimes: [Double]?
  var reason: String?
  var detail: String?
  var remote: String?
  var addresses: [String]?
  var aliases: [String]?
  var resolve: Double?

  mutating func take(_ response: ProbeResponse) {
    remote = response.remoteAddress?.address.description
    addresses = response.connection?.addresses.map(\.address.description)
    aliases = response.connection?.aliases
    resolve = response.timings.resolve.map { $0 / .seconds(1) }
  }
}
