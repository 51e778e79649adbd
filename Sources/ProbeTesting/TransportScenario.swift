public import ProbeCore

/// A request to a place that its author has prepared, and what it leads to there.
///
/// The kit changes the request's limits (`ProbeRequest.timeout`, `ProbeRequest.maxBody`, `ProbeRequest.maxHead`,
/// `ProbeRequest.redirects`) and keeps the rest. The place must serve many probes at once.
public struct TransportScenario: Sendable {
  /// What a request leads to.
  enum Kind: Hashable, Sendable {
    case answers([UInt8])
    case neverAnswers
    case refuses(ReasonCode)
    case endlessBody
    case hugeHead
    case redirects(String)
  }

  /// The request.
  public let request: ProbeRequest
  let kind: Kind

  /// An answer with this content.
  ///
  /// Give several with different content: each is known by its own.
  public static func answers(_ request: ProbeRequest, with content: [UInt8]) -> TransportScenario {
    TransportScenario(request: request, kind: .answers(content))
  }

  /// An answer with this text as its content.
  public static func answers(_ request: ProbeRequest, with text: String) -> TransportScenario {
    answers(request, with: Array(text.utf8))
  }

  /// No answer, ever: the place takes the request and says nothing.
  public static func neverAnswers(_ request: ProbeRequest) -> TransportScenario {
    TransportScenario(request: request, kind: .neverAnswers)
  }

  /// A failure at once, for this reason.
  public static func refuses(
    _ request: ProbeRequest, reason: ReasonCode = .connectRefused
  ) -> TransportScenario {
    TransportScenario(request: request, kind: .refuses(reason))
  }

  /// An answer whose content does not end, or has at least 1 MiB.
  public static func endlessBody(_ request: ProbeRequest) -> TransportScenario {
    TransportScenario(request: request, kind: .endlessBody)
  }

  /// An answer whose head does not end, or has at least 64 KiB.
  public static func hugeHead(_ request: ProbeRequest) -> TransportScenario {
    TransportScenario(request: request, kind: .hugeHead)
  }

  /// A redirect with this Location.
  public static func redirects(_ request: ProbeRequest, to location: String) -> TransportScenario {
    TransportScenario(request: request, kind: .redirects(location))
  }

  /// The request with other limits.
  func adjusted(_ change: (inout ProbeRequest) -> Void) -> ProbeRequest {
    var request = request
    change(&request)
    return request
  }

  /// What it is called in a report.
  var name: String { "\(kind.name) (\(request.url))" }
}

extension TransportScenario.Kind {
  var name: String {
    switch self {
    case .answers: "an answer"
    case .neverAnswers: "no answer"
    case .refuses: "a refusal"
    case .endlessBody: "an endless body"
    case .hugeHead: "a huge head"
    case .redirects: "a redirect"
    }
  }
}
