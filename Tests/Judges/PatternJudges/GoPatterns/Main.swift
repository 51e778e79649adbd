import ProbeCore
import BlackboxExporter
import ProbePatterns

/// Matches each line of the standard input, an expression and a subject in hexadecimal, and prints the groups.
///
/// A line of the output has the groups in hexadecimal, with `-` for one that did not take part; or `none` for no
/// match, `error` for an expression that is refused, `large` for one that is too large, and `limit` for a
/// search that exceeded its limit. `differs` comes first if the expression may match differently.
@main struct GoPatterns {
  static func main() {
    while let line = readLine() {
      let fields = line.split(separator: " ", omittingEmptySubsequences: false).map { bytes(of: $0) }
      guard fields.count == 2 else { return print("bad line") }
      print(result(String(decoding: fields[0], as: UTF8.self), fields[1]))
    }
  }

  private static func result(_ expression: String, _ subject: [UInt8]) -> String {
    let pattern: GoPattern
    do { pattern = try GoPattern(expression) } catch {
      return error.message.contains("cannot be compiled") ? "large" : "error"
    }
    let mark = pattern.differences.isEmpty ? "" : "differs "
    do {
      guard let match = try pattern.match(in: subject) else { return mark + "none" }
      return mark + match.groups.map { $0.map { "=" + hexadecimal($0) } ?? "-" }.joined(separator: " ")
    } catch {
      return mark + "limit"
    }
  }

  private static func bytes(of digits: Substring) -> [UInt8] {
    let values = digits.utf8.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
    return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
