import ProbeCore
import SourceDocuments
package import ProbeBase

/// The names of labels in reports.
package enum LabelName {
  /// The built-in labels of metrics, and names with a meaning in Prometheus.
  private static let reserved: Set<String> = [
    "pipeline", "source", "run", "set", "url", "name", "family", "index", "verdict", "outcome", "reason",
    "phase",
    "kind", "question", "step", "set_index", "performance_label", "performance_unit", "performance_index",
    "le", "quantile",
  ]

  /// Checks that a metric can have a label with this name (Prometheus, "Metric names and labels").
  ///
  /// - Throws: `InvalidInput` with the reason.
  package static func check(_ name: String) throws(InvalidInput) {
    let isName = name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    guard isName, let first = name.utf8.first, !first.isASCIIDigit, name.utf8.count <= 64,
      !name.hasPrefix("__")
    else {
      throw InvalidInput(
        "\(Excerpt(name)) cannot be the name of a label",
        remedy: "use up to 64 ASCII letters, digits and _, without a digit or __ at the start")
    }
    guard !reserved.contains(name) else {
      throw InvalidInput("metrics already have a label \(name)", remedy: "use another name")
    }
  }
}

extension FieldReader where Value == [String: String] {
  static var labels: FieldReader { byName(of: .line, check: LabelName.check) }
}
