import PortalAnalysis
package import ProbeCore
import ProbeJSON
import ProbePipeline

/// The facts in the form that the checks need.
struct PortalCheckInput: Sendable {
  let facts: PortalFacts
  /// The facts before the first of two logins; nil unless this is the second.
  let earlier: PortalFacts?
  /// The probes of all engines over HTTP and HTTPS, one for each URL and outcome; without those that this machine
  /// itself received, which do not concern the network.
  let probes: [ProbeResult]
  /// The contents of the API's response.
  let api: APIFields?

  init(_ facts: PortalFacts, after earlier: PortalFacts? = nil) {
    self.facts = facts
    self.earlier = earlier
    var seen: Set<String> = []
    let runs = [facts.probeKitRun] + facts.engines.map(\.result)
    probes = runs.flatMap { $0.sets.flatMap(\.probes) }.filter {
      ($0.url.hasPrefix("http://") || $0.url.hasPrefix("https://")) && $0.outcome != .skipped
        && $0.response?.isFromThisMachine != true && seen.insert("\($0.url) \($0.outcome)").inserted
    }
    api = facts.api.map { APIFields($0) }
  }

  /// The unencrypted probes.
  var plain: [ProbeResult] { probes.filter { $0.encryption == .plaintext } }
  var encrypted: [ProbeResult] { probes.filter { $0.encryption == .encrypted } }
  /// The announced texts, each once.
  var announced: [String] {
    facts.announcements.compactMap(\.text).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension PortalFacts {
  /// The login URL: what ProbeKit's own profile finds, or else the API's.
  ///
  /// An engine opens its own URL even if the obstacle is only an outage.
  package var loginURL: ProbeURL? { probeKitRun.loginURL ?? documentedLoginURL }

  /// The login URL that the API names.
  private var documentedLoginURL: ProbeURL? {
    guard let api, case .success(let response) = api.response, let document = try? CapportDocument(response),
      document.captive, let url = document.userPortalURL, api.url.mayRedirect(to: url)
    else { return nil }
    return url
  }

  /// Whether the network is open.
  package var isOpen: Bool { probeKitRun.verdict == .online }
}

/// The response of an API, read member by member, because ``CapportDocument`` ignores invalid members.
struct APIFields: Sendable {
  let exchange: APIExchange
  /// The members; nil if the body is not a JSON object.
  let fields: JSONValue?
  /// The reason why the body is not a JSON object; nil if it is one.
  let mistake: String?

  init(_ exchange: APIExchange) {
    self.exchange = exchange
    guard case .success(let response) = exchange.response else {
      (fields, mistake) = (nil, nil)
      return
    }
    do throws(JSONError) {
      let value = try CapportDocument.parser.value(of: response.body)
      if case .object = value {
        (fields, mistake) = (value, nil)
      } else {
        (fields, mistake) = (nil, "the body is \(Excerpt(response.body)), not an object")
      }
    } catch {
      (fields, mistake) = (nil, error.description.escapedForDisplay)
    }
  }

  /// The response, if there is one.
  var response: ProbeResponse? { try? exchange.response.get() }
  /// The failure, if there is one.
  var failure: ProbeFailure? {
    if case .failure(let failure) = exchange.response { failure } else { nil }
  }
  /// The response as a detail.
  var evidence: [String] {
    fields.map { ["\(exchange.url.string): \(Excerpt($0.text, limit: 300))"] } ?? []
  }
  var isCaptive: Bool? { fields?["captive"]?.bool }
}

extension ProbeResponse {
  /// The directives of Cache-Control (RFC 9111 §5.2), in lower case.
  var cacheDirectives: [String] {
    (head?.fields.values(for: "Cache-Control") ?? []).flatMap { $0.parts(between: ",") }.map {
      $0.lowercased().replacing([" ": "", "\t": "", "\"": ""])
    }.filter { !$0.isEmpty }
  }

  /// Whether a cache must not reuse the response without validation.
  var forbidsReuse: Bool {
    let directives = cacheDirectives
    return directives.contains("no-store") || directives.contains("no-cache")
      || directives.contains("max-age=0")
  }
}

extension ProbeFailure {
  /// The failure as a detail.
  var words: String { "\(reason.rawValue): \(detail)" }
}

extension [(url: String, fact: String)] {
  /// The distinct facts, one per line, each with the first of its URLs.
  var asDetails: [String] {
    var urls: [String: [String]] = [:]
    var order: [String] = []
    for (url, fact) in self {
      if urls[fact] == nil { order.append(fact) }
      urls[fact, default: []].append(url)
    }
    return order.map { fact in
      let all = urls[fact] ?? []
      return "\((all.first ?? "").escapedForDisplay)" + (all.count > 1 ? " and \(all.count - 1) more" : "")
        + ": \(fact)"
    }
  }
}
