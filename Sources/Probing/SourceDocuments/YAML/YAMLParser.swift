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
