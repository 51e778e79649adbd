/// A media type with its parameters (RFC 9110 §8.3.1).
struct ContentType {
  /// The type without parameters, in lower case.
  let name: String
  private let parameters: String

  init(_ text: String) {
    let name = text.prefix { $0 != ";" }
    self.name = name.filter { $0 != " " && $0 != "\t" }.lowercased()
    parameters = String(text.dropFirst(name.count))
  }

  /// The value of a parameter, or nil if it is absent; the name is in lower case.
  func parameter(_ name: String) -> [UInt8]? {
    HeaderParameters(parameters.utf8).value(of: name)
  }
}

/// The parameters of a header field's value, such as those of `form-data; name="a"`.
struct HeaderParameters {
  private let text: [UInt8]

  init(_ text: some Sequence<UInt8>) {
    self.text = Array(text)
  }

  /// The value of the first parameter with this lower-case name, or nil if there is none.
  func value(of name: String) -> [UInt8]? {
    var index = skipped(to: UInt8(ascii: ";"), from: 0)
    while index < text.count {
      index += 1
      let equals = text[index...].firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") }
      guard let equals, text[equals] == UInt8(ascii: "=") else {
        index = equals ?? text.count
        continue
      }
      let found = String(decoding: text[index..<equals], as: UTF8.self).lowercased()
      let (value, end) = value(from: equals + 1)
      if found.filter({ $0 != " " && $0 != "\t" }) == name { return value }
      index = skipped(to: UInt8(ascii: ";"), from: end)
    }
    return nil
  }

  /// A token, or a quoted string without its quotes and backslashes (RFC 9110 §5.6.4).
  private func value(from start: Int) -> (value: [UInt8], end: Int) {
    guard start < text.count, text[start] == UInt8(ascii: "\"") else {
      let end = skipped(to: UInt8(ascii: ";"), from: start)
      return (text[start..<end].filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }, end)
    }
    var value: [UInt8] = []
    var index = start + 1
    while index < text.count, text[index] != UInt8(ascii: "\"") {
      // Browsers write quotes as %22 and leave backslashes alone (HTML standard, multipart encoding).
      if text[index] == UInt8(ascii: "\\"), index + 1 < text.count,
        text[index + 1] == UInt8(ascii: "\"") || text[index + 1] == UInt8(ascii: "\\")
      {
        index += 1
      }
      value.append(text[index])
      index += 1
    }
    return (value, min(index + 1, text.count))
  }

  private func skipped(to byte: UInt8, from start: Int) -> Int {
    text[min(start, text.count)...].firstIndex(of: byte) ?? text.count
  }
}
