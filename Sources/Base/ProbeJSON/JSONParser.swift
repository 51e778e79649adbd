internal import CProbeJansson
internal import ProbeBase

/// Parses JSON strictly according to RFC 8259, with libjansson: the whole text is validated first.
///
/// Two members of an object with the same name are an error, because their meaning depends on the parser (RFC
/// 8259 §4).
package struct JSONParser: Sendable {
  /// The version of libjansson that is running.
  package static var libraryVersion: String { unsafe String(cString: jansson_version_str()) }

  /// The maximum length of a text in bytes.
  package var maximumLength: Int
  /// The maximum nesting depth of arrays and objects.
  package var maximumDepth: Int

  /// A parser with these limits.
  package init(maximumLength: Int, maximumDepth: Int = 64) {
    self.maximumLength = maximumLength
    self.maximumDepth = maximumDepth
  }

  /// Parses a text in UTF-8.
  ///
  /// A NUL in a name is an error although the grammar allows it; so is an unpaired surrogate (RFC 8259 §8.2).
  ///
  /// - Throws: ``JSONError`` with the first error.
  package func value(of bytes: [UInt8]) throws(JSONError) -> JSONValue {
    guard bytes.count <= maximumLength else {
      throw JSONError("the text has more than \(maximumLength) bytes")
    }
    let text = try JanssonText(bytes, depth: maximumDepth)
    var error = json_error_t()
    // An empty array has no address, which libjansson does not accept.
    let root = unsafe (text.content.isEmpty ? [UInt8(ascii: " ")] : text.content).withUnsafeBytes { bytes in
      unsafe json_loadb(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
        Int(clamping: JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES), &error)
    }
    guard let root = unsafe root else { throw JSONError(error, in: text) }
    defer { unsafe json_decref(root) }
    var numbers = NumberIterator(text)
    return unsafe JSONValue(root, &numbers)
  }
}

/// The numbers of a text that are others for libjansson, in the order of the text.
private struct NumberIterator {
  private var reals: IndexingIterator<[JanssonText.Number]>
  private var zeroSigns: IndexingIterator<[Bool]>

  init(_ text: JanssonText) {
    reals = text.numbers.makeIterator()
    zeroSigns = text.zeroSigns.makeIterator()
  }

  /// The value of the next real.
  mutating func real() -> JSONValue { reals.next().map { .number($0.value) } ?? .null }

  /// The value of the next integer.
  mutating func integer(_ value: Int) -> JSONValue {
    guard value == 0, zeroSigns.next() == true else { return .integer(value) }
    return JSONNumber("-0").map { .number($0) } ?? .integer(0)
  }
}

extension JSONError {
  fileprivate init(_ error: json_error_t, in text: JanssonText) {
    let problem = unsafe withUnsafeBytes(of: error.text) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    // At the start of a text libjansson reports column 0.
    self.init(
      text.original(problem, at: Int(widening: error.position)), line: Int(widening: error.line),
      column: max(1, Int(widening: error.column)))
  }
}

extension JSONValue {
  /// A copy of a value from libjansson, which is nested no deeper than its text.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - numbers: The numbers that are others for libjansson, which keeps the order of the text.
  fileprivate init(
    _ value: UnsafeMutablePointer<json_t>, _ numbers: inout NumberIterator
  ) {
    switch unsafe value.pointee.type {
    case JSON_OBJECT:
      var members: [Member] = []
      unsafe members.reserveCapacity(json_object_size(value))
      var iterator = unsafe json_object_iter(value)
      while let member = unsafe iterator {
        if let name = unsafe json_object_iter_key(member), let value = unsafe json_object_iter_value(member) {
          let length = unsafe json_object_iter_key_len(member)
          unsafe members.append(Member(Self.text(name, length), JSONValue(value, &numbers)))
        }
        unsafe iterator = json_object_iter_next(value, member)
      }
      self = .object(members)
    case JSON_ARRAY:
      let elements = unsafe (0..<json_array_size(value)).compactMap { unsafe json_array_get(value, $0) }
      self = unsafe .array(elements.map { unsafe JSONValue($0, &numbers) })
    case JSON_STRING:
      self = unsafe .string(
        json_string_value(value).map { unsafe Self.text($0, json_string_length(value)) } ?? "")
    case JSON_INTEGER: self = unsafe numbers.integer(Int(clamping: json_integer_value(value)))
    case JSON_REAL: self = numbers.real()
    case JSON_TRUE: self = .bool(true)
    case JSON_FALSE: self = .bool(false)
    default: self = .null
    }
  }

  private static func text(_ start: UnsafePointer<CChar>, _ length: Int) -> String {
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
}
