internal import ProbeCore

/// The output of a monitoring plugin: a line of text, more lines of text, and performance data.
///
/// The first line that is not empty is `TEXT | PERFORMANCE DATA`. Further lines are text up to a `|`; everything after it,
/// including all following lines, is performance data.
struct CheckOutput {
  /// The text of the first line that is not empty, without its performance data; empty if there is no output.
  let summary: ArraySlice<UInt8>
  /// The measured values.
  let values: [PerformanceValue]

  /// Parses the whole output.
  init(_ output: [UInt8]) {
    var lines = output[...].split(separator: UInt8(ascii: "\n"))[...]
    var data = PerformanceData()
    func splitting(_ line: ArraySlice<UInt8>) -> (text: ArraySlice<UInt8>, data: ArraySlice<UInt8>?) {
      guard let bar = line.firstIndex(of: UInt8(ascii: "|")) else { return (line, nil) }
      return (line[..<bar], line[(bar + 1)...])
    }
    let (summary, first) = splitting(lines.popFirst() ?? [])
    if let first { data.add(first) }
    while let line = lines.popFirst() {
      guard let rest = splitting(line).data else { continue }
      for line in [rest] + lines { data.add(line) }
      break
    }
    self.summary = summary
    values = data.values
  }
}

/// The performance data of a monitoring plugin: items of the form
/// `'label'=value[UOM];[warn];[crit];[min];[max]`, separated by spaces.
///
/// The format is specified by the Monitoring Plugins Development Guidelines. Items that do not follow it are
/// skipped, as are values that the plugin could not determine (`U`). Thresholds and bounds are discarded:
/// they are options of the plugin, whose exit code reflects them.
struct PerformanceData {
  /// The maximum number of values of a check; further values are ignored.
  static let maximumCount = 100
  /// The maximum length of a label in bytes, before escaping; a longer one is truncated.
  static let maximumLabelLength = 100
  /// The maximum length of a unit in bytes, before escaping; an item with a longer one is skipped.
  static let maximumUnitLength = 16

  /// The values in order, each label once.
  private(set) var values: [PerformanceValue] = []
  private var labels: Set<String> = []

  /// Parses a line, or the part of a line after the `|`.
  mutating func add(_ line: ArraySlice<UInt8>) {
    var rest = line
    while values.count < Self.maximumCount {
      rest = rest.drop(while: \.isSpaceInC)
      guard !rest.isEmpty else { return }
      var item = rest
      if let value = Self.value(&item) {
        if labels.insert(value.label).inserted { values.append(value) }
        rest = item
      } else {
        rest = rest.drop { !$0.isSpaceInC }
      }
    }
  }

  /// Parses and consumes an item; nil if it does not follow the format.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> PerformanceValue? {
    guard let label = label(&rest), rest.popFirst() == UInt8(ascii: "=") else { return nil }
    let fields = rest.prefix { !$0.isSpaceInC }
    rest = rest[fields.endIndex...]
    let value = fields.prefix { $0 != UInt8(ascii: ";") }
    let text = String(decoding: number(value), as: UTF8.self)
    let unit = String(decoding: value.dropFirst(text.utf8.count), as: UTF8.self)
    guard let number = Double(text), number.isFinite, unit.utf8.count <= maximumUnitLength,
      !unit.utf8.contains(where: { $0.isASCIIDigit || "'\"".utf8.contains($0) })
    else { return nil }
    return PerformanceValue(printable(label), number, text: text, unit: unit.escapedForDisplay)
  }

  /// Parses a label with or without quotes; inside quotes, two quotes are an escaped quote.
  ///
  /// - Returns: nil if the label is empty, or its closing quote is missing.
  private static func label(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    let quote = UInt8(ascii: "'")
    var label: [UInt8] = []
    guard rest.first == quote else {
      label = Array(rest.prefix { $0 != UInt8(ascii: "=") && !$0.isSpaceInC })
      rest = rest.dropFirst(label.count)
      return label.isEmpty ? nil : label
    }
    rest = rest.dropFirst()
    while let byte = rest.popFirst() {
      guard byte != quote || rest.first == quote else { return label.isEmpty ? nil : label }
      if byte == quote { rest = rest.dropFirst() }
      label.append(byte)
    }
    return nil
  }

  /// The longest prefix that is a decimal number, with or without an exponent.
  private static func number(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func signed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      text.first.map { "+-".utf8.contains($0) } == true ? text.dropFirst() : text
    }
    var rest = signed(text).drop(while: \.isASCIIDigit)
    if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop(while: \.isASCIIDigit) }
    // A unit can begin with this letter too.
    if rest.first.map({ "eE".utf8.contains($0) }) == true {
      let exponent = signed(rest.dropFirst())
      if exponent.first?.isASCIIDigit == true { rest = exponent.drop(while: \.isASCIIDigit) }
    }
    return text[..<rest.startIndex]
  }

  private static func printable(_ label: [UInt8]) -> String {
    let text = String(decoding: label, as: UTF8.self)
    guard text.utf8.count > maximumLabelLength else { return text.escapedForDisplay }
    var start = String(text.unicodeScalars.prefix(maximumLabelLength))
    while start.utf8.count > maximumLabelLength { start.unicodeScalars.removeLast() }
    return start.escapedForDisplay + "…"
  }
}
