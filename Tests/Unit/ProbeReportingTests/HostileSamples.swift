import PortalAnalysis
import ProbeCore
import ProbePipeline

@testable import ProbeReporting

/// Text that could be mistaken for syntax in each report format.
enum HostileSamples {
  static let texts: [String] = [
    Samples.hostile,
    "]]><failure message='x'>&amp;&#0;<!-- \" -- <![CDATA[",
    "# SKIP \\# TODO \\\\ not ok 1 # ",
    "' '' \" \\\" \\n {le=\"1\"} 5\n# TYPE x counter\nx 1\n",
    "...\n  ---\n1..0 # SKIP all\nBail out! gone\n",
    "\u{FFFE}\u{FFFF}\u{FEFF}\u{85}\u{A0}\u{10FFFF}",
    // Bytes of a lone surrogate, as they arrive.
    String(decoding: [0xED, 0xA0, 0x80, 0x61, 0xFF], as: UTF8.self),
    // Each makes one character with the one before it.
    "n|\u{301} \"\u{301}\\\u{301}'\u{301}<\u{301}&\u{301}>\u{20E3}#\u{FE0F}]]\u{200D}>\r\n\u{301}x\u{903}",
    "Grüße, 世界 🙂 \u{202E}txet",
    "{\"type\":\"run\"}\n[1]",
    "", " ", "\t", "~", "null", "-", "\\",
    String(repeating: "long \\\"'#<", count: 500),
  ]

  /// A run with the text in every field that can contain it.
  static func run(_ text: String, lasting duration: Duration = .seconds(1)) throws -> RunResult {
    let url = try ProbeURL("https://probe.example/")
    let head = HTTPResponseHead(status: 302, reasonPhrase: text, fields: ["Location": text])
    let response = ProbeResponse(url: url, head: head, timings: ProbeTimings(total: .microseconds(93)))
    let outcomes: [Outcome] = [.accepted, .intercepted, .failed, .skipped]
    let probes = outcomes.map { outcome in
      ProbeResult(
        url: "https://probe.example/\(text)", outcome: outcome,
        reason: outcome == .accepted ? nil : ReasonCode(rawValue: text),
        detail: outcome == .accepted ? nil : text, response: outcome == .skipped ? nil : response)
    }
    return RunResult(
      pipeline: text, verdict: .intercepted, portal: nil,
      evidence: [Evidence(.intercepted, text, probes: probes.map(\.url))],
      sets: [SetResult(name: text, threshold: .all, probes: probes)], duration: duration)
  }

  /// The runs that the tests of each format report.
  static func runs() throws -> [ReportedRun] {
    [
      ReportedRun(source: "office.yaml", try Samples.online()),
      ReportedRun(source: "b.yaml", try Samples.portal()),
    ]
  }
}
