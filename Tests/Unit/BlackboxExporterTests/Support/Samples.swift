import ProbeCore

@testable import BlackboxExporter

/// The samples of a text in Prometheus' format.
struct Samples: CustomStringConvertible {
  /// A sample.
  struct Sample {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  let all: [Sample]
  let description: String

  /// Reads a text; lines that are not samples are skipped.
  init(_ text: String) {
    description = text
    all = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
        return nil
      }
      let series = line[..<space]
      let name = series.prefix { $0 != "{" }
      return Sample(name: String(name), labels: Self.labels(series.dropFirst(name.count)), value: value)
    }
  }

  /// The value of the only sample with this name; nil if there is none, or if there are several.
  subscript(_ name: String) -> Double? {
    let samples = all.filter { $0.name == name }
    return samples.count == 1 ? samples[0].value : nil
  }

  /// The values of a label of a metric.
  func values(of label: String, in name: String) -> Set<String> {
    Set(all.filter { $0.name == name }.compactMap { $0.labels[label] })
  }

  /// The labels of the only sample with this name.
  func labels(of name: String) -> [String: String]? {
    let samples = all.filter { $0.name == name }
    return samples.count == 1 ? samples[0].labels : nil
  }

  private static func labels(_ text: Substring) -> [String: String] {
    var labels: [String: String] = [:]
    var rest = text.dropFirst()
    while let equals = rest.firstIndex(of: "=") {
      let name = String(rest[..<equals])
      rest = rest[equals...].dropFirst(2)
      var value = ""
      while let character = rest.popFirst(), character != "\"" {
        guard character == "\\", let escaped = rest.popFirst() else {
          value.append(character)
          continue
        }
        value.append(escaped == "n" ? "\n" : escaped)
      }
      labels[name] = value
      rest = rest.drop { $0 == "," }
    }
    return labels
  }
}

extension ProbeReport {
  /// Its samples.
  var samples: Samples { Samples(text) }
  /// Whether it succeeded according to its samples.
  var succeeded: Bool { samples["probe_success"] == 1 }
  /// The log, for the messages of failed tests.
  var story: String { log.joined(separator: "\n") }
}
