import ProbeBase
internal import CProbeYAML

/// Parses YAML, including JSON, event by event.
///
/// The text must be UTF-8. The parser keeps a copy of it, and its work and memory are proportional to it if
/// the caller limits nesting.
@safe
package final class YAMLParser {
  /// The version of libyaml that is running.
  package static var libraryVersion: String { unsafe String(cString: yaml_get_version_string()) }

  // libyaml's struct has pointers to itself, so it must not be moved.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let text: YAMLText
  private var isAtEnd = false

  /// A parser for a text.
  ///
  /// - Throws: ``YAMLError`` if the bytes are not valid YAML characters.
  package init(_ bytes: [UInt8]) throws(YAMLError) {
    text = try YAMLText(bytes)
    unsafe parser = .allocate(capacity: 1)
    unsafe input = .allocate(capacity: text.bytes.count)
    _ = unsafe input.initialize(from: text.bytes)
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      // The struct must be valid for deinit, even if no memory was available.
      unsafe parser.initialize(to: yaml_parser_t())
      throw YAMLError(.noMemory, "there is no memory", mark: YAMLMark(line: 0, column: 0, offset: 0))
    }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe input.deallocate()
  }

  /// The next event, or nil at the end and after an error.
  ///
  /// - Throws: ``YAMLError`` if the text is invalid.
  package func next() throws(YAMLError) -> YAMLEvent? {
    while !isAtEnd {
      var event = unsafe yaml_event_t()
      guard unsafe yaml_parser_parse(parser, &event) == 1 else {
        isAtEnd = true
        throw error()
      }
      defer { unsafe yaml_event_delete(&event) }
      let type = unsafe event.type
      if type == YAML_STREAM_END_EVENT || type == YAML_NO_EVENT {
        isAtEnd = true
      } else if let kind = unsafe YAMLEvent.Kind(event) {
        return YAMLEvent(
          kind, start: mark(unsafe event.start_mark), end: mark(unsafe event.end_mark))
      }
    }
    return nil
  }

  private func mark(_ mark: yaml_mark_t) -> YAMLMark {
    YAMLMark(
      line: Int(clamping: mark.line), column: Int(clamping: mark.column),
      offset: text.offset(ofCharacter: Int(clamping: mark.index)))
  }

  private func error() -> YAMLError {
    let code: YAMLError.Code =
      switch unsafe parser.pointee.error {
      case YAML_MEMORY_ERROR: .noMemory
      case YAML_READER_ERROR: .character
      case YAML_SCANNER_ERROR: .scanner
      default: .parser
      }
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) }
    let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) }
    return YAMLError(
      code, problem ?? "the text cannot be read", mark: mark(unsafe parser.pointee.problem_mark),
      context: context, contextMark: context.map { _ in mark(unsafe parser.pointee.context_mark) })
  }
}

extension YAMLEvent.Kind {
  /// Copies the contents of an event; nil for the start of the stream.
  fileprivate init?(_ event: yaml_event_t) {
    switch unsafe event.type {
    case YAML_DOCUMENT_START_EVENT: self = .documentStart
    case YAML_DOCUMENT_END_EVENT: self = .documentEnd
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      self = .scalar(
        YAMLScalar(
          unsafe String(decoding: bytes, as: UTF8.self), style: unsafe YAMLScalar.Style(scalar.style),
          tag: unsafe Self.text(scalar.tag), anchor: unsafe Self.text(scalar.anchor)))
    case YAML_ALIAS_EVENT:
      self = .alias(unsafe Self.text(event.data.alias.anchor) ?? "")
    case YAML_SEQUENCE_START_EVENT:
      let start = unsafe event.data.sequence_start
      self = .sequenceStart(
        YAMLCollection(
          isFlow: unsafe start.style == YAML_FLOW_SEQUENCE_STYLE, tag: unsafe Self.text(start.tag),
          anchor: unsafe Self.text(start.anchor)))
    case YAML_MAPPING_START_EVENT:
      let start = unsafe event.data.mapping_start
      self = .mappingStart(
        YAMLCollection(
          isFlow: unsafe start.style == YAML_FLOW_MAPPING_STYLE, tag: unsafe Self.text(start.tag),
          anchor: unsafe Self.text(start.anchor)))
    case YAML_SEQUENCE_END_EVENT: self = .sequenceEnd
    case YAML_MAPPING_END_EVENT: self = .mappingEnd
    default: return nil
    }
  }

  private static func text(_ bytes: UnsafePointer<yaml_char_t>?) -> String? {
    unsafe bytes.map { unsafe String(cString: $0) }
  }
}

extension YAMLScalar.Style {
  fileprivate init(_ style: yaml_scalar_style_t) {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: self = .literal
    case YAML_FOLDED_SCALAR_STYLE: self = .folded
    default: self = .plain
    }
  }
}

/// The bytes of a YAML text, validated as allowed characters, with the offset of each.
struct YAMLText: Sendable {
  /// The bytes, without a byte order mark.
  let bytes: ArraySlice<UInt8>
  /// The offset of each character after the byte order mark, or nil if each has one byte.
  private let offsets: [Int32]?

  /// A text.
  ///
  /// - Throws: ``YAMLError`` for the first invalid UTF-8 byte, and for the first character that YAML does not
  ///   allow.
  init(_ all: [UInt8]) throws(YAMLError) {
    bytes = all.withoutByteOrderMark
    if all.starts(with: [0xFF, 0xFE]) || all.starts(with: [0xFE, 0xFF]) {
      throw YAMLError(
        .encoding, "the text is UTF-16, not UTF-8", mark: YAMLMark(line: 0, column: 0, offset: 0))
    }
    var offsets: [Int32] = []
    var isASCII = true
    var index = bytes.startIndex
    while index < bytes.endIndex {
      // Most characters are visible ASCII characters, spaces and line feeds.
      let byte = bytes[index]
      if byte >= 0x20 && byte < 0x7F || byte == 0x0A {
        if !isASCII { offsets.append(Int32(truncatingIfNeeded: index - bytes.startIndex)) }
        index += 1
        continue
      }
      let width = Self.width(of: bytes[index...])
      guard width > 0, Self.isAllowed(bytes[index..<(index + width)]) else {
        throw Self.error(at: index, in: bytes, isValid: width > 0)
      }
      if width > 1, isASCII {
        isASCII = false
        offsets = (0..<Int32(truncatingIfNeeded: index - bytes.startIndex)).map { $0 }
      }
      if !isASCII { offsets.append(Int32(truncatingIfNeeded: index - bytes.startIndex)) }
      index += width
    }
    self.offsets = isASCII ? nil : offsets
  }

  /// The offset of a character in bytes from the start of the input; libyaml counts characters.
  func offset(ofCharacter index: Int) -> Int {
    guard let offsets else { return bytes.startIndex + min(max(index, 0), bytes.count) }
    guard index < offsets.count else { return bytes.endIndex }
    return bytes.startIndex + Int(clamping: offsets[max(index, 0)])
  }

  /// The length of the first character in bytes, or 0 if the bytes do not start with one (RFC 3629 §4).
  private static func width(of bytes: ArraySlice<UInt8>) -> Int {
    guard let first = bytes.first, first >= 0x80 else { return bytes.isEmpty ? 0 : 1 }
    var decoder = UTF8()
    var iterator = bytes.prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return 0 }
    return UTF8.width(scalar)
  }

  /// Whether YAML 1.1 §4.1 allows a character.
  private static func isAllowed(_ character: ArraySlice<UInt8>) -> Bool {
    guard let first = character.first else { return false }
    if character.count == 1 {
      return (0x20..<0x7F).contains(first) || [0x09, 0x0A, 0x0D].contains(first)
    }
    // The C1 controls except the line break U+0085; U+FFFE and U+FFFF.
    if first == 0xC2, let second = character.last { return second >= 0xA0 || second == 0x85 }
    return !(first == 0xEF && character.dropFirst().starts(with: [0xBF]) && (character.last ?? 0) >= 0xBE)
  }

  private static func error(at offset: Int, in bytes: ArraySlice<UInt8>, isValid: Bool) -> YAMLError {
    let before = bytes[..<offset]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
    let mark = YAMLMark(
      line: before.count { $0 == UInt8(ascii: "\n") },
      column: before[start...].count { $0 & 0xC0 != 0x80 },
      offset: offset)
    return isValid
      ? YAMLError(.character, "control characters are not allowed", mark: mark)
      : YAMLError(.encoding, "the text is not UTF-8", mark: mark)
  }
}
