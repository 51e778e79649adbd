import ProbeBase
internal import CProbeJansson

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

/// A JSON text for libjansson: checks that it lacks are done here, and numbers have a text of the same length that it
/// can represent.
///
/// libjansson has integers of 64 bits and doubles only, and refuses a text with a number beyond them. Such a number,
/// and each with a fraction or an exponent, is 1e0 for it, with as many zeros more as the number is longer. So the
/// grammar and the positions of errors are libjansson's, and the values are exact.
struct JanssonText {
  /// A number for which libjansson has another text.
  struct Number {
    /// Its range in ``content``.
    let range: Range<Int>
    let value: JSONNumber
  }

  /// The bytes to parse.
  private(set) var content: [UInt8]
  /// The numbers that are reals for libjansson, in the order of the text.
  private(set) var numbers: [Number] = []
  /// Whether each integer that is zero has a sign, in the order of the text: libjansson has no negative zero.
  private(set) var zeroSigns: [Bool] = []

  /// A text without the byte order mark that it may start with (RFC 8259 §8.1).
  ///
  /// - Throws: ``JSONError`` for excessive nesting, and for a NUL, which libjansson treats as the end.
  init(_ bytes: [UInt8], depth limit: Int) throws(JSONError) {
    let bytes = bytes.hasByteOrderMark ? Array(bytes.withoutByteOrderMark) : bytes
    content = bytes
    var depth = 0
    var isInString = false
    var isEscaped = false
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0 { throw error("a NUL byte", at: index) }
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          if depth > limit { throw error("more than \(limit) levels of arrays and objects", at: index) }
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
          index = readNumber(at: index)
          continue
        default: break
        }
      }
      index += 1
    }
  }

  /// Reads a number.
  ///
  /// - Returns: The position after it, or after the token that is not a number.
  private mutating func readNumber(at start: Int) -> Int {
    let end = content[start...].firstIndex { !$0.isNumberCharacter } ?? content.endIndex
    guard let number = JSONNumber.find(in: content, from: start), number.end == end else { return end }
    if number.isInteger, content[end - 1] == UInt8(ascii: "0"),
      end - start == 1 || content[start] == UInt8(ascii: "-") && end - start == 2
    {
      zeroSigns.append(end - start == 2)
    }
    // All integers of up to 18 digits fit.
    if number.isInteger, end - start <= 18 { return end }
    let text = String(decoding: content[start..<end], as: UTF8.self)
    if number.isInteger, Int(text: text, in: .min ... .max) != nil { return end }
    guard let value = JSONNumber(text) else { return end }
    numbers.append(Number(range: start..<end, value: value))
    for index in start..<end { content[index] = UInt8(ascii: "0") }
    (content[start], content[start + 1]) = (UInt8(ascii: "1"), UInt8(ascii: "e"))
    return end
  }

  /// A description of an error by libjansson, which may quote a number.
  ///
  /// - Parameters:
  ///   - problem: Its words.
  ///   - position: The number of bytes that it has read.
  /// - Returns: The words, with the number as it is in the text.
  func original(_ problem: String, at position: Int) -> String {
    guard let number = numbers.first(where: { $0.range.upperBound == position }) else { return problem }
    let zeros = String(repeating: "0", count: number.range.count - 2)
    return problem.replacing(" near '1e\(zeros)'", with: " near '\(number.value.text)'")
  }

  private func error(_ problem: String, at index: Int) -> JSONError {
    let before = content[..<index]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Counts characters, not continuation bytes.
    let column = before[start...].count { $0 & 0xC0 != 0x80 }
    return JSONError(problem, line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: column + 1)
  }
}

/// The reason why a text is not valid JSON, and the position of the error.
package struct JSONError: Error, Hashable, Sendable {
  /// A description, from libjansson for its own errors; it may contain bytes of the text.
  package var problem: String
  /// The line of the error, from 1; 0 if it has no position.
  package var line: Int
  /// The column of the error in characters, from 1.
  package var column: Int

  package init(_ problem: String, line: Int = 0, column: Int = 0) {
    self.problem = problem
    self.line = line
    self.column = column
  }
}

extension JSONError: CustomStringConvertible {
  /// The description and the position.
  package var description: String {
    line > 0 ? "\(problem) at line \(line), column \(column)" : problem
  }
}
