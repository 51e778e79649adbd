internal import FoundationEssentials
internal import ProbeCore
internal import SourceDocuments
import ProbePatterns

extension FieldReader where Value == [UInt8] {
  /// A text, or bytes in base64 with the tag `!!binary`.
  static var goBytes: FieldReader {
    FieldReader { node, field, findings in
      guard let scalar = node.scalar else {
        findings.add("\(field) must be a text, not \(node.kindName)", at: node)
        return nil
      }
      guard scalar.isBinary else { return Array(scalar.text.utf8) }
      let digits = scalar.text.filter { !$0.isWhitespace }
      guard let bytes = Data(base64Encoded: digits) else {
        findings.add("\(field) is not base64", remedy: "remove !!binary, if it is a text", at: node)
        return nil
      }
      return Array(bytes)
    }
  }
}

extension FieldReader where Value == String {
  /// Any text.
  static var goText: FieldReader {
    FieldReader<[UInt8]>.goBytes.map { bytes, node, findings in
      guard let text = String(validating: bytes, as: UTF8.self) else {
        findings.add("these bytes are not UTF-8", remedy: "write a text", at: node)
        return nil
      }
      return text
    }
  }
}

extension FieldReader where Value == Bool {
  /// A boolean in the syntax of Go's YAML library.
  static var goBoolean: FieldReader {
    FieldReader { node, field, findings in
      guard let scalar = node.scalar else {
        findings.add("\(field) must be true or false, not \(node.kindName)", at: node)
        return nil
      }
      if scalar.isPlain, ["true", "True", "TRUE"].contains(scalar.text) { return true }
      if scalar.isPlain, ["false", "False", "FALSE"].contains(scalar.text) { return false }
      if ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON"].contains(scalar.text) { return true }
      if ["n", "N", "no", "No", "NO", "off", "Off", "OFF"].contains(scalar.text) { return false }
      let isQuoted = !scalar.isPlain && Bool(scalar.text.lowercased()) != nil
      findings.add(
        "\(field) must be true or false, not \(Excerpt(scalar.text))\(isQuoted ? " in quotes" : "")",
        remedy: isQuoted ? "remove the quotes" : nil, at: node)
      return nil
    }
  }
}

extension FieldReader where Value == Duration {
  /// A duration in the syntax of Go's `time.ParseDuration`, such as `1m30s`.
  static var goDuration: FieldReader {
    text("a time such as 5s") { (text) throws(InvalidInput) in
      guard let units = GoUnits(text, units: units), let nanoseconds = Int64(exactly: units.value.rounded())
      else {
        throw InvalidInput("\(Excerpt(text)) is not a time", remedy: "write it as 5s, 500ms or 1m30s")
      }
      return .nanoseconds(nanoseconds)
    }
  }

  private static var units: [String: Double] {
    ["ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "h": 3600e9]
  }
}

extension FieldReader where Value == Int {
  /// A number of bytes such as `10MB`, with units of 1024 as in alecthomas/units: KB and KiB are the same.
  static var goSize: FieldReader {
    text("a size such as 10MB") { (text) throws(InvalidInput) in
      for suffix in ["iB", "B"] {
        var units = ["B": 1.0]
        for (power, prefix) in "KMGTPE".enumerated() {
          units["\(prefix)\(suffix)"] = Double(1 << (10 * (power + 1)))
        }
        if let size = GoUnits(text, units: units)?.value { return Int(bounding: size) }
      }
      throw InvalidInput("\(Excerpt(text)) is not a size", remedy: "write it as 10MB, 64KiB or 500B")
    }
  }
}

extension FieldReader where Value == GoPattern {
  /// A regular expression of Go, with a warning if it may match differently.
  static var goPattern: FieldReader {
    FieldReader<String>.goText.map { text, node, findings in
      do throws(InvalidInput) {
        let pattern = try GoPattern(text)
        for difference in pattern.differences {
          findings.warn(difference, remedy: "write it in a simpler way", at: node.span.lowerBound)
        }
        return pattern
      } catch {
        findings.add(error, at: node)
        return nil
      }
    }
  }
}

/// A sequence of numbers with units, such as `1m30s`.
struct GoUnits {
  /// Their sum.
  let value: Double

  /// Parses a text; nil if it does not have this form.
  init?(_ text: String, units: [String: Double]) {
    var rest = text[...]
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest.removeFirst() }
    if rest == "0" {
      value = 0
      return
    }
    guard !rest.isEmpty else { return nil }
    var sum = 0.0
    while !rest.isEmpty {
      let digits = rest.prefix { $0 == "." || $0.isASCII && $0.isNumber }
      rest = rest[digits.endIndex...]
      let unit = rest.prefix { !($0 == "." || $0.isASCII && $0.isNumber) }
      rest = rest[unit.endIndex...]
      guard digits.contains(where: { $0 != "." }), let factor = units[String(unit)],
        let number = Double("0" + digits + (digits.contains(".") ? "0" : ""))
      else { return nil }
      sum += number * factor
    }
    guard sum.isFinite, sum < 0x1p64 else { return nil }
    value = isNegative ? 0 - sum : sum
  }
}
