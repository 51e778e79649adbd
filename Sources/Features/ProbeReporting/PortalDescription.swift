import PortalAnalysis
import ProbeCore
import ProbePipeline
package import ProbeBase

extension String {
  /// The text escaped for display, with noncharacters escaped too.
  ///
  /// XML (1.0 §2.2) and YAML (1.2 §5.1) cannot contain all noncharacters, and Perl parsers reject every one.
  var withoutNoncharacters: String {
    let shown = escapedForDisplay
    guard shown.unicodeScalars.contains(where: \.properties.isNoncharacterCodePoint) else { return shown }
    var result = ""
    for scalar in shown.unicodeScalars {
      if scalar.properties.isNoncharacterCodePoint {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Verdict {
  package var emphasis: TextStyle.Emphasis {
    switch self {
    case .online, .healthy: .good
    case .captivePortal, .intercepted, .partial, .inconclusive, .degraded: .warning
    case .offline, .unhealthy: .bad
    }
  }
}

extension Outcome {
  var emphasis: TextStyle.Emphasis {
    switch self {
    case .accepted: .good
    case .intercepted: .warning
    case .failed: .bad
    case .skipped: .faint
    }
  }

  func symbol(_ marks: Marks) -> String {
    switch self {
    case .accepted: marks.good
    case .intercepted: marks.warning
    case .failed: marks.bad
    case .skipped: marks.skipped
    }
  }
}

/// A portal's description of itself, in words: the venue and its network from WISPr, the venue page and the
/// session from RFC 8908.
///
/// The texts are the portal's own, shortened to fit on a line; they are not yet escaped.
struct PortalDescription {
  private static let maximumTextLength = 100

  private let message: WISPrMessage?
  private let document: CapportDocument?

  /// Creates a description from a run's portal and its API, which may return more once the portal grants
  /// access.
  init(_ result: RunResult) {
    message = result.portal?.wispr
    document = result.capport?.document
  }

  /// The whole description on one line, or nil if there is none.
  var line: String? {
    let parts = [location, replyMessage, venue, session].compactMap(\.self)
    return parts.isEmpty ? nil : "portal: " + parts.joined(separator: "; ")
  }

  /// The name of the venue and of the network: `ACME Hotel (network ACME, isocc=us)`.
  private var location: String? {
    let access = message?.accessLocation.flatMap(Self.cut).map(Self.reordered)
    guard let name = message?.locationName.flatMap(Self.cut) else { return access }
    return name + (access.map { " (\($0))" } ?? "")
  }

  private var replyMessage: String? {
    message?.replyMessage.map { "it says \(Excerpt($0, limit: Self.maximumTextLength))" }
  }

  private var venue: String? {
    document?.venueInfoURL.map { "about the venue: \($0.string)" }
  }

  private var session: String? {
    let left = [
      document?.timeRemaining.map { "\($0.decimalSeconds) s" },
      document?.bytesRemaining.map { "\($0) bytes" },
    ].compactMap(\.self)
    let remaining = left.isEmpty ? nil : left.joined(separator: " and ") + " of the session remain"
    let extending = document?.canExtendSession.map {
      $0 ? "the session can be extended" : "the session cannot be extended"
    }
    let parts = [remaining, extending].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Reorders a list such as `isocc=us,cc=1,ac=408,network=ACME` (WISPr 1.0 appendix D) so that the network
  /// is first; other text is unchanged.
  private static func reordered(_ text: String) -> String {
    var items = text.split(separator: ",").map { $0.drop(while: \.isWhitespace) }
    if let network = items.firstIndex(where: { $0.lowercased().hasPrefix("network=") }) {
      let name = items.remove(at: network).dropFirst("network=".count)
      items.insert("network \(name)", at: 0)
    }
    return items.joined(separator: ", ")
  }

  /// The text, shortened to fit; nil if it is empty.
  private static func cut(_ text: String) -> String? {
    let kept = text.prefix(maximumTextLength)
    guard !kept.isEmpty else { return nil }
    return kept.endIndex < text.endIndex ? kept + "…" : text
  }
}
