import ProbeCore

extension FieldReader where Value == String {
  /// A text of any form: `no` is the text "no".
  public static var text: FieldReader { text { (text) throws(InvalidInput) in text } }

  /// A text that is not empty.
  public static var nonEmptyText: FieldReader {
    FieldReader { node, field, findings in
      guard let text = FieldReader.text.read(node, field, findings) else { return nil }
      guard text.isEmpty else { return text }
      findings.add("\(field) is empty", at: node)
      return nil
    }
  }

  /// A text in one line without control characters, and not empty.
  public static var line: FieldReader {
    FieldReader { node, field, findings in
      guard let text = FieldReader.nonEmptyText.read(node, field, findings) else { return nil }
      guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return text }
      findings.add(
        "\(field) has a control character or a line end in it", remedy: "write it in one line", at: node)
      return nil
    }
  }
}

extension FieldReader where Value == Int {
  /// A whole number in bounds, written in decimal digits without quotes.
  public static func integer(in bounds: ClosedRange<Int>) -> FieldReader {
    FieldReader { node, field, findings in
      let scalar = node.scalar
      let digits = scalar?.text.hasPrefix("-") == true ? scalar?.text.dropFirst() : scalar?.text[...]
      guard let scalar, scalar.isPlain, let digits, !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else {
        let found = scalar.map { Excerpt($0.text).description } ?? node.kindName
        let isQuoted = scalar.map { !$0.isPlain && Int($0.text) != nil } ?? false
        findings.add(
          "\(field) must be a whole number, not \(found)\(isQuoted ? " in quotes" : "")",
          remedy: isQuoted ? "leave the quotes out" : nil, at: node)
        return nil
      }
      guard let number = Int(scalar.text), bounds.contains(number) else {
        let (low, high) = (bounds.lowerBound, bounds.upperBound)
        let remedy = high == .max ? "\(low) or more" : low == high ? "\(low)" : "one from \(low) to \(high)"
        findings.add(
          "\(field) cannot be \(Excerpt(scalar.text, limit: 24))", remedy: "use " + remedy, at: node)
        return nil
      }
      return number
    }
  }
}

extension FieldReader where Value == Bool {
  /// `true` or `false`, without quotes.
  public static var boolean: FieldReader {
    FieldReader { node, field, findings in
      if let scalar = node.scalar, scalar.isPlain, let value = Bool(scalar.text) { return value }
      let found = node.scalar.map { Excerpt($0.text).description } ?? node.kindName
      let isQuoted = node.scalar.map { Bool($0.text) != nil } ?? false
      findings.add(
        "\(field) must be true or false, not \(found)\(isQuoted ? " in quotes" : "")",
        remedy: isQuoted ? "leave the quotes out" : nil, at: node)
      return nil
    }
  }
}

extension FieldReader where Value == Duration {
  /// A time such as `5s` or `800ms`; see ``ValueSyntax``.
  public static func duration(in bounds: ClosedRange<Duration>) -> FieldReader {
    text("a time such as 5s") { (text) throws(InvalidInput) in try ValueSyntax.duration(text, in: bounds) }
  }
}

extension FieldReader where Value == Int {
  /// A number of bytes such as `4096` or `64KiB`; see ``ValueSyntax``.
  public static func byteCount(in bounds: ClosedRange<Int>) -> FieldReader {
    text("a number of bytes such as 64KiB") { (text) throws(InvalidInput) in
      try ValueSyntax.byteCount(text, in: bounds)
    }
  }
}

extension FieldReader where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the names of a closed set.
  public static var choice: FieldReader { choice(Array(Value.allCases)) }

  /// One of several names.
  public static func choice(_ values: [Value]) -> FieldReader {
    FieldReader { node, field, findings in
      let names = values.map(\.rawValue)
      guard let text = node.scalar?.text else {
        findings.add(
          "\(field) must be one word, not \(node.kindName)", remedy: "use \(names.alternatives)", at: node)
        return nil
      }
      if let value = values.first(where: { $0.rawValue == text }) { return value }
      let nearest = nearestName(to: text, among: names).map { "did you mean \($0)?" }
      findings.add(
        "\(field) cannot be \(Excerpt(text))", remedy: nearest ?? "use \(names.alternatives)", at: node)
      return nil
    }
  }
}

extension [String] {
  /// The names as a choice: `a, b or c`.
  package var alternatives: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
