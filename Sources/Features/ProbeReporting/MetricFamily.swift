import ProbeCore

/// The samples of one metric in the Prometheus text format, version 0.0.4.
package struct MetricFamily: Sendable {
  /// A name and a value.
  package typealias Label = (name: String, value: String)

  package enum Kind: String, Sendable {
    case gauge, counter, histogram
  }

  private let name: String
  private let help: String
  private let kind: Kind
  /// In UTF-8, to which appending is faster than to a string.
  private var samples: [UInt8] = []

  /// Creates a metric without samples.
  ///
  /// - Parameters:
  ///   - name: The name, which ends with its base unit.
  ///   - help: The description, on one line.
  ///   - kind: Its kind.
  package init(_ name: String, _ help: String, _ kind: Kind = .gauge) {
    (self.name, self.help, self.kind) = (name, help, kind)
  }

  /// Adds a sample.
  ///
  /// - Parameters:
  ///   - labels: Its labels.
  ///   - value: Its value, as text.
  ///   - suffix: The suffix of the name, such as `_bucket` of a histogram.
  package mutating func add(_ labels: [Label] = [], _ value: String, suffix: String = "") {
    if samples.isEmpty { samples += Self.head(name, help, kind) }
    Self.append(name, suffix: suffix, labels, value, to: &samples)
  }

  /// The `HELP` and `TYPE` lines of a metric, in UTF-8.
  package static func head(_ name: String, _ help: String, _ kind: Kind = .gauge) -> [UInt8] {
    Array("# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n".utf8)
  }

  /// Appends the line of a sample.
  package static func append(
    _ name: String, suffix: String = "", _ labels: [Label], _ value: String, to bytes: inout [UInt8]
  ) {
    bytes += name.utf8
    bytes += suffix.utf8
    if !labels.isEmpty {
      var separator = UInt8(ascii: "{")
      for label in labels {
        bytes.append(separator)
        bytes += label.name.utf8
        bytes.append(UInt8(ascii: "="))
        bytes.append(UInt8(ascii: "\""))
        bytes += escape(label.value).utf8
        bytes.append(UInt8(ascii: "\""))
        separator = UInt8(ascii: ",")
      }
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(UInt8(ascii: " "))
    bytes += value.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Adds a sample with the value 1 or 0.
  package mutating func add(_ labels: [Label], _ value: Bool) {
    add(labels, value ? "1" : "0")
  }

  /// Adds a sample in seconds, unless it is nil.
  package mutating func add(_ labels: [Label], _ value: Duration?) {
    if let value { add(labels, value.decimalSeconds) }
  }

  /// Adds a sample with a number.
  package mutating func add(_ labels: [Label], _ value: Double) {
    add(labels, Self.text(of: value))
  }

  /// The metric with its samples, or empty if there are none.
  package var text: String { String(decoding: samples, as: UTF8.self) }

  /// A number in the format: integers without a decimal point, and non-finite values by name.
  package static func text(of value: Double) -> String {
    if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return whole.description }
    if value.isNaN { return "NaN" }
    return value.isInfinite ? (value > 0 ? "+Inf" : "-Inf") : value.description
  }

  /// Escapes a label's value: backslashes, quotes and line feeds as in the format, other control characters
  /// as for a terminal.
  private static func escape(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return text }
    return text.escapedForDisplay.withBackslashes(before: "\\\"")
  }
}
