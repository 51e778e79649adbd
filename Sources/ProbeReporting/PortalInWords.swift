import PortalAnalysis
import ProbeCore
import ProbePipeline

/// What a portal says of itself, in words: the place and its network by WISPr, venue and session by RFC 8908.
///
/// The texts are the portal's own, cut to what fits on a line; they are not yet escaped.
struct PortalInWords {
  private static let longestText = 100

  private let message: WISPrMessage?
  private let document: CapportDocument?

  /// What the portal of a run says of itself, and its API, which may say more once the portal lets one through.
  init(_ result: RunResult) {
    message = result.portal?.wispr
    document = result.capport?.document
  }

  /// All that is known, on one line, or nil when nothing is.
  var line: String? {
    let parts = [place, says, venue, session].compactMap(\.self)
    return parts.isEmpty ? nil : "portal: " + parts.joined(separator: "; ")
  }

  /// The place's name, and the network's: `ACME Hotel (network ACME, isocc=us)`.
  private var place: String? {
    let location = message?.accessLocation.flatMap(Self.cut).map(Self.location)
    guard let name = message?.locationName.flatMap(Self.cut) else { return location }
    return name + (location.map { " (\($0))" } ?? "")
  }

  private var says: String? {
    message?.replyMessage.map { "it says \(Excerpt($0, limit: Self.longestText))" }
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

  /// A list such as `isocc=us,cc=1,ac=408,network=ACME` (WISPr 1.0 appendix D), the network first; any other text as it
  /// is.
  private static func location(_ text: String) -> String {
    var items = text.split(separator: ",").map { $0.drop(while: \.isWhitespace) }
    if let network = items.firstIndex(where: { $0.lowercased().hasPrefix("network=") }) {
      let name = items.remove(at: network).dropFirst("network=".count)
      items.insert("network \(name)", at: 0)
    }
    return items.joined(separator: ", ")
  }

  /// The text as far as it fits; nil when there is none.
  private static func cut(_ text: String) -> String? {
    let kept = text.prefix(longestText)
    guard !kept.isEmpty else { return nil }
    return kept.endIndex < text.endIndex ? kept + "…" : text
  }
}
