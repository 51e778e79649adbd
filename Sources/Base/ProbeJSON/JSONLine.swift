import FoundationEssentials
import ProbeBase

/// A record as JSON on one line, safe to show.
package enum JSONLine {
  /// Encodes a value on one line, with sorted keys.
  ///
  /// - Throws: An error of `JSONEncoder`.
  package static func text(_ record: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(jsonForDisplay: try encoder.encode(record)) + "\n"
  }
}
