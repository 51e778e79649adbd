import ProbeCore

/// The samples of one metric in the text format of Prometheus, version 0.0.4.
struct MetricFamily {
  /// A name and a value.
  typealias Label = (name: String, value: String)

  private let name: String
  private let help: String
  private var samples = ""

  /// A metric, a gauge, without samples yet.
  ///
  /// - Parameters:
  ///   - name: The name, with its base unit at the end.
  ///   - help: What it is, in one line.
  init(_ name: String, _ help: String) {
    self.name = name
    self.help = help
  }

  /// Adds a sample.
  mutating func add(_ labels: [Label], _ value: String) {
    let pairs = labels.map { "\($0.name)=\"\(Self.escape($0.value))\"" }.joined(separator: ",")
    samples += "\(name){\(pairs)} \(value)\n"
  }

  /// Adds a sample that is 1 or 0.
  mutating func add(_ labels: [Label], _ value: Bool) {
    add(labels, value ? "1" : "0")
  }

  /// Adds a sample in seconds; one that is not known is left out.
  mutating func add(_ labels: [Label], _ value: Duration?) {
    if let value { add(labels, value.decimalSeconds) }
  }

  /// The metric with its samples, or nothing without any.
  var text: String {
    samples.isEmpty ? "" : "# HELP \(name) \(help)\n# TYPE \(name) gauge\n\(samples)"
  }

  /// A label's value: the format escapes backslashes, quotes and line feeds, and other controls are escaped as for a
  /// terminal.
  private static func escape(_ text: String) -> String {
    text.escapedForDisplay.replacing(["\\": "\\\\", "\"": "\\\""])
  }
}
