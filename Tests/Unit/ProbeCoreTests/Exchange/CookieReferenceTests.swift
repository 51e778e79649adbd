import Foundation
import TestSupport
import Testing

@testable import ProbeCore

/// The cookies of generated series of requests are those that Chromium sends.
///
/// `Tests/Judges/ResponseJudges/cookies.py` makes the series, and records what Chromium and curl send.
@Suite struct CookieReferenceTests {
  struct Step: Decodable, Sendable {
    var url: String
    var set: [String]
    var chromium: String?
    var curl: String?
  }

  struct Series: Decodable, Sendable, CustomTestStringConvertible {
    var number: Int
    var steps: [Step]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      steps = try container.decode([Step].self)
      number = decoder.codingPath.last?.intValue ?? 0
    }

    var testDescription: String { "series \(number)" }
  }

  private struct File: Decodable {
    var series: [Series]
  }

  static let series: [Series] = {
    let file = projectFile("Tests/Unit/ProbeCoreTests/Cookies/seen.json")
    return (try? JSONDecoder().decode(File.self, from: Data(contentsOf: file)).series) ?? []
  }()

  /// The cookies of a field, sorted, without those that have no name, which only Chromium keeps.
  ///
  /// A cookie that is replaced keeps its position (RFC 6265bis §5.7); in Chromium only if its value stays the
  /// same.
  private static func named(_ field: String?) -> [String] {
    (field ?? "").components(separatedBy: "; ").filter { $0.contains("=") && !$0.hasPrefix("=") }.sorted()
  }

  @Test func recordedSeriesExist() {
    #expect(Self.series.count >= 250)
    #expect(Self.series.flatMap(\.steps).count { $0.chromium != nil } > 400)
  }

  @Test(arguments: series)
  func cookiesAreThoseOfChromium(_ series: Series) throws {
    var jar = CookieJar()
    let now = Date.now
    for (position, step) in series.steps.enumerated() {
      let url = try ProbeURL(step.url)
      #expect(
        Self.named(jar.field(for: url, now: now)) == Self.named(step.chromium),
        "request \(position): \(step.url)")
      jar.keep(HeaderFields(step.set.map { (name: "Set-Cookie", value: $0) }), from: url, now: now)
    }
  }
}
