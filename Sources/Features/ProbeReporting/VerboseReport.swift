import FoundationEssentials
import PortalAnalysis
import ProbeCore
public import ProbePipeline

/// A detailed report of each probe, for troubleshooting.
///
/// Everything from the network is escaped. The body is shown if the result still contains it.
public struct VerboseReport: Sendable {
  private static let bodyExcerpt = 400

  private let style: TextStyle
  private let question: Question

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - question: The question of the run; the kind of a page and its login URL are reported for networks
  ///     only.
  ///   - usesColor: Whether it is coloured.
  ///   - usesASCII: Whether only ASCII is written.
  public init(of question: Question = .internet, usesColor: Bool = false, usesASCII: Bool = false) {
    style = TextStyle(usesColor: usesColor, usesASCII: usesASCII)
    self.question = question
  }

  /// The report of all probes of a run, in order.
  public func text(of result: RunResult) -> String {
    result.sets.flatMap(\.probes).map { text(of: $0) }.joined(separator: "\n")
  }

  /// The report of one probe, as lines.
  public func text(of probe: ProbeResult) -> String {
    let outcome = style.apply(
      probe.outcome.emphasis, "\(probe.outcome.symbol(style.marks)) \(probe.outcome.rawValue)")
    var lines = ["\(outcome) \(style.shown(probe.title))"]
    if !probe.labels.isEmpty { lines.append(line("labels", probe.labels.words)) }
    if let why = probe.rejectionDescription { lines.append(line("reason", why)) }
    if !probe.captures.isEmpty { lines.append(line("captured", probe.capturesDescription)) }
    if question == .internet, let analysis = probe.analysis { lines += describe(analysis) }
    if let response = probe.response { lines += describe(response) }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension VerboseReport {
  private func describe(_ analysis: ResponseAnalysis) -> [String] {
    let candidates = analysis.portal?.candidates ?? []
    let confidence = analysis.portal?.confidence.map { ", confidence \($0)" } ?? ""
    return [line("kind", "\(analysis.kind.name): \(analysis.kind.words)\(confidence)")]
      + analysis.signs.map {
        line($0.isFor ? "for" : "against", "\($0.words), weight \($0.weight)")
      }
      + candidates.map { line("login URL", "\($0.url), score \($0.score): \($0.reason)") }
  }

  private func describe(_ response: ProbeResponse) -> [String] {
    var lines: [String] = []
    for hop in response.redirects {
      let location = hop.location.map { "to \($0)" } ?? "without a Location"
      lines.append(line("redirect", "\(hop.status) from \(hop.url) \(location)"))
    }
    // The final URL after redirects; not shown if the last redirect was not followed.
    if response.redirects.contains(where: { $0.target == response.url }) {
      lines.append(line("answer from", response.url.string))
    }
    if let address = response.remoteAddress { lines.append(line("address", address.description)) }
    if let connection = response.connection { lines += describe(connection) }
    if let times = describe(response.timings) { lines.append(line("times", times)) }
    if let tls = response.tls { lines += describe(tls) }
    if let head = response.head { lines += describe(head) }
    if !response.deviations.isEmpty {
      lines.append(line("deviations", response.deviations.map(\.description).joined(separator: ", ")))
    }
    if !response.body.isEmpty {
      let cut = response.bodyIsCut ? " or more" : ""
      lines.append(
        line(
          "body", "\(response.body.count) bytes\(cut): \(Excerpt(response.body, limit: Self.bodyExcerpt))"))
    }
    return lines
  }

  private func describe(_ head: HTTPResponseHead) -> [String] {
    let phrase = head.reasonPhrase.isEmpty ? "" : " \(head.reasonPhrase)"
    let fields = head.fields.map { "\($0.name): \($0.value)" }
    let lines = ["HTTP/\(head.version) \(head.status)\(phrase)"] + fields
    return lines.map { style.apply(.faint, "    <") + " " + style.shown($0) }
  }

  /// Aliases of the host, and the attempts to connect if there were several.
  private func describe(_ connection: ConnectionFacts) -> [String] {
    var lines: [String] = []
    if let resolver = connection.resolver {
      lines.append(
        line("resolver", ([resolver.description] + connection.addressDescriptions).joined(separator: ", ")))
    }
    if !connection.aliases.isEmpty {
      lines.append(line("alias of", connection.aliases.joined(separator: ", ")))
    }
    if connection.attempts.count > 1 {
      let attempts = connection.attempts.map { "\($0.address) \($0.ending.words)" }
      lines.append(line("tried", attempts.joined(separator: ", ")))
    }
    return lines
  }

  private func describe(_ timings: ProbeTimings) -> String? {
    let phases = [
      ("resolve", timings.resolve), ("connect", timings.connect), ("tls", timings.tls),
      ("first byte", timings.firstByte), ("total", timings.total),
    ]
    let known = phases.compactMap { name, time in time.map { "\(name) \($0.forPerson)" } }
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }

  private func describe(_ tls: TLSFacts) -> [String] {
    let session = [tls.version, tls.cipher].compactMap(\.self)
    let lines = session.isEmpty ? [] : [line("tls", session.joined(separator: ", "))]
    return lines
      + tls.chain.flatMap { certificate in
        return [
          line("certificate", certificate.subject),
          certificate.shownNames(20).map { line("  for", $0) },
          line("  issued by", certificate.issuer),
          line("  valid", "\(Self.day(certificate.notBefore)) to \(Self.day(certificate.notAfter))"),
          line("  sha-256", certificate.fingerprint),
        ].compactMap(\.self)
      }
  }

  private static func day(_ date: Date) -> String {
    date.inUTC
  }

  private func line(_ name: String, _ value: String) -> String {
    let padding = String(repeating: " ", count: max(1, 13 - name.count))
    return "    \(name)\(padding)\(style.shown(value))"
  }
}

extension ConnectionAttempt.Ending {
  fileprivate var words: String {
    switch self {
    case .connected: "connected"
    case .failed(let reason): "\(reason)"
    case .refused: "\(ReasonCode.addressRefused)"
    case .abandoned: "abandoned"
    }
  }
}
