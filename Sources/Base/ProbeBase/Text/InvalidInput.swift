/// An error in input such as a URL, a pattern or an option's value, described so that its author can fix it.
///
/// The error contains text of the input only if that is safe to print. The caller knows where the input came
/// from (argument, line, file) and adds that.
public struct InvalidInput: Error, Hashable, Sendable, Changeable {
  /// The problem: one line, lower-case start, no final full stop.
  public var message: String
  /// How to fix it, on one line, or nil if the message already says so.
  public var remedy: String?
  /// The position of the problem, in UTF-8 bytes from the start of the value, or nil if it is the whole
  /// value.
  public var offset: Int?
  /// The part of the value that has the problem; empty for the whole value.
  ///
  /// The elements are keys, and numbers of list items from 0, from the outermost to the innermost.
  public var path: [String] = []
  /// The settings of a request that the problem concerns, by their keys in a pipeline file, such as `proxy`; empty if
  /// none is at fault.
  public var settings: [String] = []
  /// Whether a named file is at fault, rather than the value that names it.
  package var concernsFile = false

  /// Describes a problem.
  public init(_ message: String, remedy: String? = nil, offset: Int? = nil) {
    self.message = message
    self.remedy = remedy
    self.offset = offset
  }
}

extension InvalidInput {
  /// The same error, seen from an enclosing value: the keys are prepended to ``path``.
  ///
  /// For example, if the option `pattern` has an error, throw `mistake.at("pattern")`. A caller that reads
  /// the options from a file can then point at the option.
  public func at(_ keys: String...) -> InvalidInput { at(keys) }

  /// The same error of a request, which these settings of it cause, by their keys in a pipeline file.
  ///
  /// It is reported at the most specific of them: an option, else one of the URL, of the set, or of the pipeline.
  ///
  /// For example, throw `InvalidInput("…").about("client", "proxy")` from `ProbeTransport.check(_:)` if one does not
  /// support the other.
  public func about(_ settings: String...) -> InvalidInput { about(settings) }

  /// The same error of a request, which these settings cause.
  package func about(_ settings: [String]) -> InvalidInput { with(\.settings, settings) }

  /// The same error, marked as the fault of a named file.
  package var ofFile: InvalidInput { with(\.concernsFile, true) }

  /// The same error, seen from the list that contains the value at this index, from 0.
  public func at(_ index: Int) -> InvalidInput { at(["\(index)"]) }

  /// Makes something from a part of a value, and rethrows an error as seen from the whole value.
  ///
  /// - Parameters:
  ///   - keys: The keys of the part, from the outermost to the innermost.
  ///   - make: Makes the result from the part.
  /// - Returns: The result of `make`.
  /// - Throws: The error that `make` throws, with the keys prepended to its path.
  public static func at<Value>(
    _ keys: String..., make: () throws(InvalidInput) -> Value
  ) throws(InvalidInput) -> Value {
    do throws(InvalidInput) {
      return try make()
    } catch {
      throw error.at(keys)
    }
  }

  /// The same error, seen from an enclosing value.
  package func at(_ keys: [String]) -> InvalidInput { with(\.path, keys + path) }

  /// Makes something from the part of a value at a key, and rethrows an error as seen from the whole value.
  package static func at<Value>(
    key: String, _ make: @autoclosure () throws(InvalidInput) -> Value
  ) throws(InvalidInput) -> Value {
    try at(key) { () throws(InvalidInput) in try make() }
  }
}

extension Collection {
  /// Makes something from each item of a list, and rethrows an error as seen from the whole value.
  ///
  /// - Parameters:
  ///   - keys: The keys of the list, from the outermost to the innermost; none if it is the whole value.
  ///   - make: Makes a result from an item.
  /// - Returns: The results.
  /// - Throws: The error that `make` throws, with the keys and the index of the item prepended to its path.
  package func mapItems<Result>(
    at keys: String..., make: (Element) throws(InvalidInput) -> Result
  ) throws(InvalidInput) -> [Result] {
    try enumerated().map { item throws(InvalidInput) in
      do throws(InvalidInput) {
        return try make(item.element)
      } catch {
        throw error.at(item.offset).at(keys)
      }
    }
  }
}

/// An error that combines every problem of a value.
public protocol InvalidInputs: Error {
  /// The problems, each with its position in the value; never empty.
  var mistakes: [InvalidInput] { get }
}

extension InvalidInput: CustomStringConvertible {
  /// Message and remedy on one line.
  public var description: String {
    guard let remedy else { return message }
    return "\(message): \(remedy)"
  }

  /// The message, the position if known, and the remedy, on one line.
  package var descriptionWithOffset: String {
    guard let offset else { return description }
    return InvalidInput("\(message) at byte \(offset)", remedy: remedy).description
  }
}

extension InvalidInput {
  /// The line of the input that has the problem, and below it a caret that points at the position.
  ///
  /// - Parameter input: The value the error is about; its characters are escaped for display.
  /// - Returns: Two lines without a final line end, or nil when the error is about the whole value.
  package func caretLines(in input: String) -> String? {
    guard let offset else { return nil }
    let bytes = Array(input.utf8)
    let position = min(max(offset, 0), bytes.count)
    let start = bytes[..<position].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let shown = Self.window(of: start..<end, around: position, in: bytes)
    let before = String(decoding: bytes[shown.lowerBound..<position], as: UTF8.self).escapedForDisplay
    let after = String(decoding: bytes[position..<shown.upperBound], as: UTF8.self).escapedForDisplay
    let head = shown.lowerBound > start ? "…" : ""
    let tail = shown.upperBound < end ? "…" : ""
    let columns = (head + before).reduce(0) { $0 + $1.terminalColumns }
    return head + before + after + tail + "\n" + String(repeating: " ", count: columns) + "^"
  }

  /// The part of a long line to show, in whole characters.
  private static func window(of line: Range<Int>, around position: Int, in bytes: [UInt8]) -> Range<Int> {
    var (start, end) = (max(line.lowerBound, position - 60), min(line.upperBound, position + 30))
    while start < position, bytes[start] & 0xC0 == 0x80 { start += 1 }
    while end > position, end < line.upperBound, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return start..<end
  }
}

extension Character {
  /// The number of columns a terminal uses for the character: approximately two for wide ones (Unicode UAX
  /// #11).
  fileprivate var terminalColumns: Int {
    guard let first = unicodeScalars.first, first.value >= 0x1100 else { return 1 }
    if first.properties.isEmojiPresentation { return 2 }
    let wide: [ClosedRange<UInt32>] = [
      0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
    return wide.contains { $0.contains(first.value) } ? 2 : 1
  }
}
