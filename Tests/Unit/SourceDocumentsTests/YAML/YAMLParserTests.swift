import Testing
import SourceDocuments

@Suite struct YAMLParserTests {
  /// The events of a text, and the error that ended them.
  private func read(_ bytes: [UInt8]) -> (events: [YAMLEvent], error: YAMLError?) {
    var events: [YAMLEvent] = []
    do throws(YAMLError) {
      let parser = try YAMLParser(bytes)
      while let event = try parser.next() { events.append(event) }
      #expect(try parser.next() == nil)
      return (events, nil)
    } catch {
      return (events, error)
    }
  }

  private func read(_ text: String) -> (events: [YAMLEvent], error: YAMLError?) {
    read(Array(text.utf8))
  }

  /// The text that each event covers.
  private func covered(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return read(bytes).events.compactMap { event in
      guard case .scalar = event.kind else { return nil }
      return String(decoding: bytes[event.start.offset..<event.end.offset], as: UTF8.self)
    }
  }

  @Test func allKindsOfEvents() {
    let (events, error) = read(
      "&a !!map\nlist: [*a, 'x']\nblock: |\n  two\n  lines\nfolded: >-\n  t\nq: \"\\u00e9\\0\"\n")
    #expect(error == nil)
    #expect(
      events.map(\.kind) == [
        .documentStart,
        .mappingStart(YAMLCollection(isFlow: false, tag: "tag:yaml.org,2002:map", anchor: "a")),
        .scalar(YAMLScalar("list", style: .plain)), .sequenceStart(YAMLCollection(isFlow: true)),
        .alias("a"), .scalar(YAMLScalar("x", style: .singleQuoted)), .sequenceEnd,
        .scalar(YAMLScalar("block", style: .plain)), .scalar(YAMLScalar("two\nlines\n", style: .literal)),
        .scalar(YAMLScalar("folded", style: .plain)), .scalar(YAMLScalar("t", style: .folded)),
        .scalar(YAMLScalar("q", style: .plain)), .scalar(YAMLScalar("é\0", style: .doubleQuoted)),
        .mappingEnd, .documentEnd,
      ])
  }

  @Test(arguments: ["", "\u{FEFF}"], ["\n", "\r\n"])
  func marksAreBytesOfTheText(_ byteOrderMark: String, _ lineEnd: String) {
    let text = byteOrderMark + ["é: 𝄞x", "# ü", "b: [1, \"ß\" ]", ""].joined(separator: lineEnd)
    #expect(covered(text) == ["é", "𝄞x", "b", "1", "\"ß\""])
  }

  @Test func marksHaveLinesAndColumns() throws {
    let events = read("a: 1\nü: b\n").events
    #expect(events[4].start == YAMLMark(line: 1, column: 0, offset: 5))
    #expect(events[5].start == YAMLMark(line: 1, column: 3, offset: 9))
  }

  static let errors: [(text: String, code: YAMLError.Code, problem: String, offset: Int)] = [
    ("a: b: c", .scanner, "mapping values are not allowed in this context", 4),
    ("{ a: b: c }", .parser, "did not find expected ',' or '}'", 6),
    ("ü: \"x", .scanner, "found unexpected end of stream", 6),
    ("ü: \u{1B}", .character, "control characters are not allowed", 4),
    ("ü: \u{9F}", .character, "control characters are not allowed", 4),
    ("ü: \u{FFFE}", .character, "control characters are not allowed", 4),
    ("a: \0", .character, "control characters are not allowed", 3),
  ]

  @Test(arguments: errors)
  func errorsHaveAnOffset(_ text: String, code: YAMLError.Code, problem: String, offset: Int) throws {
    let error = try #require(read(text).error)
    #expect(error.code == code)
    #expect(error.problem == problem)
    #expect(error.mark.offset == offset)
  }

  @Test func contentBeforeAnErrorIsRead() {
    let (events, error) = read("a: 1\nb: @\n")
    #expect(events.count == 5)
    #expect(
      error?.description.hasPrefix("found character that cannot start any token at line 2, column 4") == true)
  }

  @Test(
    arguments: [
      ([0x61, 0x3A, 0x20, 0xC3], 3), ([0xC3, 0x28], 0), ([0x0A, 0xED, 0xA0, 0x80], 1),
      ([0xF4, 0x90, 0x80, 0x80], 0),
      ([0xC0, 0x80], 0), ([0xEF, 0xBB, 0xBF, 0xFF], 3),
    ] as [([UInt8], Int)])
  func invalidUTF8IsReportedWithItsLocation(_ bytes: [UInt8], offset: Int) throws {
    let error = try #require(read(bytes).error)
    #expect(error.code == .encoding)
    #expect(error.mark.offset == offset)
  }

  @Test(arguments: [[0xFF, 0xFE, 0x61, 0x00], [0xFE, 0xFF, 0x00, 0x61]] as [[UInt8]])
  func utf16IsReportedAsSuch(_ bytes: [UInt8]) {
    #expect(read(bytes).error?.problem == "the text is UTF-16, not UTF-8")
  }

  @Test(arguments: ["", "\u{FEFF}", "# comment\n", "\n\n"])
  func emptyInputHasNoEvents(_ text: String) {
    let (events, error) = read(text)
    #expect(events.isEmpty)
    #expect(error == nil)
  }

  @Test func anUnfinishedParserFreesItsMemory() throws {
    // With the address sanitizer, this test fails if there is a leak.
    let parser = try YAMLParser(Array("[a, [b, {c: &d d}]]".utf8))
    for _ in 0..<4 { _ = try parser.next() }
  }
}
