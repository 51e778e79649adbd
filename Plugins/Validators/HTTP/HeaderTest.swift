internal import ProbeCore

/// A test of a header field.
enum HeaderTest {
  case present
  case absent
  case equals(String)
  case equalsCaseless(String, TextPattern)
  case matches(TextPattern)

  init(_ options: HeaderValidator.Options) throws(InvalidInput) {
    guard let line = options.line else {
      try self.init(ofField: options)
      return
    }
    let others: [Any?] = [
      options.name, options.present, options.equals, options.caseless, options.matches, options.capture,
    ]
    guard others.allSatisfy({ $0 == nil }) else {
      throw InvalidInput(
        "line cannot be combined with other keys", remedy: "write the name of the field into its pattern")
    }
    self = .matches(try InvalidInput.at("line") { () throws(InvalidInput) in try TextPattern(line) })
  }

  private init(ofField options: HeaderValidator.Options) throws(InvalidInput) {
    guard options.name != nil else {
      throw InvalidInput("the name of the header field is missing", remedy: "add name, or line alone")
    }
    guard options.caseless == nil || options.equals != nil else {
      throw InvalidInput(
        "caseless requires equals", remedy: "for matches write options: [caseless] beside its pattern"
      ).at("caseless")
    }
    if let name = options.capture {
      try CaptureName.check(name)
      guard options.present != false else {
        throw InvalidInput("an absent field has no value to capture", remedy: "omit capture, or present")
          .at("capture")
      }
    }
    switch (options.present, options.equals, options.matches) {
    case (let present?, nil, nil):
      self = present ? .present : .absent
    case (nil, let text?, nil):
      // Header values have no surrounding white space (RFC 9112 §5.1), so remove it from the expected text too.
      let text = String(text.trimming { $0 == " " || $0 == "\t" })
      guard options.caseless == true else {
        self = .equals(text)
        return
      }
      let pattern = try InvalidInput.at("equals") { () throws(InvalidInput) in
        try TextPattern(equalInAnyCaseTo: text)
      }
      self = .equalsCaseless(text, pattern)
    case (nil, nil, let pattern?):
      self = .matches(try InvalidInput.at("matches") { () throws(InvalidInput) in try TextPattern(pattern) })
    case (nil, nil, nil) where options.capture != nil:
      self = .present
    case (nil, nil, nil):
      throw InvalidInput("the test of the header field is missing", remedy: "add present, equals or matches")
    default:
      throw InvalidInput(
        "the header field has more than one test",
        remedy: "keep one of present, equals and matches, and put several validators under all")
    }
  }

  /// The approximate size of its pattern in bytes.
  var compiledSize: Int {
    switch self {
    case .equalsCaseless(_, let pattern), .matches(let pattern): pattern.compiledSize
    case .present, .absent, .equals: 0
    }
  }

  /// The word before the field's name in a description of the test.
  var article: String {
    if case .absent = self { "no" } else { "a" }
  }

  /// The words after the field's name in a description of the test.
  var condition: String {
    switch self {
    case .present, .absent: ""
    case .equals(let text): " equal to \(Excerpt(text))"
    case .equalsCaseless(let text, _): " equal to \(Excerpt(text)) in any case"
    case .matches(let pattern): " that matches \(pattern)"
    }
  }

  /// Judges the values of all fields with the name.
  ///
  /// - Returns: The result, and the first value that passes the test, if there is one.
  func judge(_ values: [String]) -> (found: TextPattern.Found, passing: String?) {
    switch self {
    case .present: (values.isEmpty ? .noMatch : .match(captures: [:]), values.first)
    case .absent: (values.isEmpty ? .match(captures: [:]) : .noMatch, nil)
    case .equals(let text):
      values.first { $0.utf8.elementsEqual(text.utf8) }.map { (.match(captures: [:]), $0) } ?? (.noMatch, nil)
    case .equalsCaseless(_, let pattern), .matches(let pattern): Self.search(values, for: pattern)
    }
  }

  /// The first match; without a match, reaching a limit in any value makes the result undecided.
  private static func search(
    _ values: [String], for pattern: TextPattern
  ) -> (found: TextPattern.Found, passing: String?) {
    var result = TextPattern.Found.noMatch
    for (value, found) in zip(values, pattern.search(each: values)) {
      switch found {
      case .match: return (found, value)
      case .noMatch: break
      case .limit: result = .limit
      }
    }
    return (result, nil)
  }
}
