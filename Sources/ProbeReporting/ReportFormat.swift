/// A form of reports, by its name on the command line.
///
/// A new form is a ``Reporter`` in a file of its own, and a line in ``all``.
public struct ReportFormat: Sendable {
  /// How the reader of a report wants it.
  public struct Style: Hashable, Sendable {
    /// Whether a text for a person is coloured.
    public var usesColor: Bool

    /// A style.
    public init(usesColor: Bool = false) {
      self.usesColor = usesColor
    }
  }

  /// The name, a word in lower case.
  public let name: String
  /// What it is good for, in a few words.
  public let summary: String
  private let make: @Sendable (Style) -> any Reporter

  /// A form.
  ///
  /// - Parameters:
  ///   - name: The name, a word in lower case.
  ///   - summary: What it is good for, in a few words.
  ///   - make: Makes its reporter.
  public init(_ name: String, _ summary: String, make: @escaping @Sendable (Style) -> any Reporter) {
    self.name = name
    self.summary = summary
    self.make = make
  }

  /// A reporter of this form.
  public func reporter(_ style: Style = Style()) -> any Reporter {
    make(style)
  }
}

extension ReportFormat {
  /// Every form, the one for a person first.
  public static let all: [ReportFormat] = [text, json, ndjson, junit, tap, prometheus]

  /// The form of this name, or nil when there is none.
  public static func named(_ name: String) -> ReportFormat? {
    all.first { $0.name == name }
  }

  /// The form for a person.
  public static let text = ReportFormat("text", "for a person") { TextReporter(usesColor: $0.usesColor) }
  static let json = ReportFormat("json", "for a program, once everything has finished") { _ in JSONReporter()
  }
  static let ndjson = ReportFormat("ndjson", "for a program, a line for each probe as it finishes") { _ in
    LinesReporter()
  }
  static let junit = ReportFormat("junit", "JUnit XML, for CI") { _ in JUnitReporter() }
  static let tap = ReportFormat("tap", "the Test Anything Protocol, for test harnesses") { _ in TAPReporter()
  }
  static let prometheus = ReportFormat("prometheus", "metrics, for Prometheus and its textfile collectors") {
    _ in PrometheusReporter()
  }
}
