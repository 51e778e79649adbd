package import ProbeCore
import ProbePipeline

/// A line of the input of a scan: what to probe, and what its result repeats.
package struct ScanLine: Sendable {
  /// The identifier of a line in the input.
  package enum ID: Hashable, Sendable {
    case text(String)
    case number(Int)
  }

  /// The number of the line in the input, from 1.
  package var number: Int
  /// The number of its part of the input, from 0.
  package var part = 0
  /// The name that the input gives it; nil for none.
  package var id: ID?
  /// The URL as the input has it, or an excerpt of a line that cannot be read.
  package var url: String
  /// The URL, or the reason why the line cannot be probed.
  package var target: Result<ProbeURL, InvalidInput>
  /// The set of the pipeline to probe it with; nil for the first one.
  package var set: String?
  /// Its labels, in addition to those of the set.
  package var labels: [String: String] = [:]

  /// The host whose limit holds, without a dot at its end, which makes no difference; nil for a line without a URL.
  package var host: String? {
    guard case .success(let url) = target else { return nil }
    return url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
  }

  /// The approximate number of bytes that it keeps in memory.
  var size: Int {
    var size = 2 * url.utf8.count + (set?.utf8.count ?? 0)
    if case .text(let text)? = id { size += text.utf8.count }
    for (name, label) in labels { size += name.utf8.count + label.utf8.count }
    return size
  }

  /// Creates a line.
  package init(number: Int, url: String, target: Result<ProbeURL, InvalidInput>) {
    self.number = number
    self.url = url
    self.target = target
  }
}

extension ScanLine {
  /// Checks the name of a label.
  ///
  /// - Throws: `InvalidInput` with the reason.
  static func checkLabel(_ name: String) throws(InvalidInput) {
    try LabelName.check(name)
  }
}
