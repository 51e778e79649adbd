import ProbeBase

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
  /// - Returns: The position after it, or after the text that is not a number instead.
  private mutating func readNumber(at start: Int) -> Int {
    let end = content[start...].firstIndex { !$0.isOfNumber } ?? content.endIndex
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
