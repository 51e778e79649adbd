internal import ProbeCore

extension FieldReader where Value == String {
  /// Any text; `no` is the text "no".
  public static var text: FieldReader { text { (text) throws(InvalidInput) in text } }

  /// A non-empty text.
  public static var nonEmptyText: FieldReader {
    rule(.text(canBeEmpty: false)) { (node, field) throws(InvalidInput) in
      let text = try ScalarRules.text(node, field)
      guard !text.isEmpty else { throw InvalidInput("\(field) is empty") }
      return text
    }
  }

  /// A non-empty text of one line without control characters.
  public static var line: FieldReader {
    let schema = ValueSchema.text(pattern: #"^[^\u0000-\u001f\u007f]+$"#)
    return rule(schema) { (node, field) throws(InvalidInput) in
      let text = try ScalarRules.text(node, field)
      guard !text.isEmpty else { throw InvalidInput("\(field) is empty") }
      guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return text }
      throw InvalidInput(
        "\(field) has a control character or a line end in it", remedy: "write it in one line")
    }
  }
}

extension FieldReader where Value == Int {
  /// An integer within bounds, in decimal digits without quotes.
  public static func integer(in bounds: ClosedRange<Int>) -> FieldReader {
    rule(.integer(in: bounds)) { (node, field) throws(InvalidInput) in
      try ScalarRules.integer(node, field, in: bounds)
    }
  }

  /// A number of bytes such as `4096` or `64KiB`; see `ValueSyntax`.
  public static func byteCount(in bounds: ClosedRange<Int>) -> FieldReader {
    text("a number of bytes such as 64KiB", schema: .byteCount) { (text) throws(InvalidInput) in
      try ValueSyntax.byteCount(text, in: bounds)
    }
  }
}

extension FieldReader where Value == Bool {
  /// `true` or `false`, without quotes.
  public static var boolean: FieldReader {
    rule(.boolean) { (node, field) throws(InvalidInput) in try ScalarRules.boolean(node, field) }
  }
}

extension FieldReader where Value == Duration {
  /// A time such as `5s` or `800ms`; see `ValueSyntax`.
  public static func duration(in bounds: ClosedRange<Duration>) -> FieldReader {
    rule(.duration) { (node, field) throws(InvalidInput) in
      try ScalarRules.duration(node, field, in: bounds)
    }
  }
}

extension FieldReader where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// A case of an enumeration.
  public static var choice: FieldReader { choice(Array(Value.allCases)) }

  /// One of several names.
  public static func choice(_ values: [Value]) -> FieldReader {
    let names = values.map(\.rawValue)
    return rule(.choice(names)) { (node, field) throws(InvalidInput) in
      guard let value = values.first(where: { $0.rawValue == node.scalar?.text }) else {
        throw ScalarRules.noChoice(node, field, among: names)
      }
      return value
    }
  }
}
