public import ProbeCore

/// A request to a server prepared by the author of the test, and the expected result.
///
/// The kit changes the request's limits (`ProbeRequest.timeout`, `ProbeRequest.maxBody`,
/// `ProbeRequest.maxHead`, `ProbeRequest.redirects`) and keeps the rest. The server must handle many
/// concurrent probes.
public struct TransportScenario: Sendable {
  /// The expected result.
  enum Kind: Hashable, Sendable {
    case responds([UInt8])
    case neverResponds
    case refuses(ReasonCode)
    case endlessBody
    case hugeHead
    case redirects(String)
  }

  /// The request.
  public let request: ProbeRequest
  let kind: Kind

  /// A response with this content.
  ///
  /// Use several scenarios with different content, by which their responses are distinguished.
  public static func responds(_ request: ProbeRequest, with content: [UInt8]) -> TransportScenario {
    TransportScenario(request: request, kind: .responds(content))
  }

  /// A response with this text as its content.
  public static func responds(_ request: ProbeRequest, with text: String) -> TransportScenario {
    responds(request, with: Array(text.utf8))
  }

  /// No response: the server accepts the request and sends nothing.
  public static func neverResponds(_ request: ProbeRequest) -> TransportScenario {
    TransportScenario(request: request, kind: .neverResponds)
  }

  /// An immediate failure with this reason.
  public static func refuses(
    _ request: ProbeRequest, reason: ReasonCode = .connectRefused
  ) -> TransportScenario {
    TransportScenario(request: request, kind: .refuses(reason))
  }

  /// A response with endless content, or with at least 1 MiB.
  public static func endlessBody(_ request: ProbeRequest) -> TransportScenario {
    TransportScenario(request: request, kind: .endlessBody)
  }

  /// A response with an endless head, or with one of at least 64 KiB.
  public static func hugeHead(_ request: ProbeRequest) -> TransportScenario {
    TransportScenario(request: request, kind: .hugeHead)
  }

  /// A redirect with this Location.
  public static func redirects(_ request: ProbeRequest, to location: String) -> TransportScenario {
    TransportScenario(request: request, kind: .redirects(location))
  }

  /// A copy with other limits.
  func adjusted(_ change: (inout ProbeRequest) -> Void) -> ProbeRequest {
    var request = request
    change(&request)
    return request
  }

  /// The name in a report.
  var name: String { "\(kind.name) (\(request.url))" }
}

extension TransportScenario.Kind {
  var name: String {
    switch self {
    case .responds: "an answer"
    case .neverResponds: "no answer"
    case .refuses: "a refusal"
    case .endlessBody: "an endless body"
    case .hugeHead: "a huge head"
    case .redirects: "a redirect"
    }
  }
}
