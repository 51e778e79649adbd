public import ProbeCore
internal import ProbeJSON

/// Accepts a response whose body is JSON with the given values; `json` in a pipeline file.
///
/// The body must be one JSON text in UTF-8 (RFC 8259), without duplicate names in an object. Numbers are
/// compared by their decimal value, without rounding: `1` is equal to `1.0`, and `9007199254740993` is not equal to
/// `9007199254740992`. A captured number keeps its text.
public struct JSONValidator: ConfigurableValidator {
  /// The key in a pipeline file.
  public static let name = "json"
  /// A summary of the accepted responses.
  public static let summary: String? = "the body is JSON, and its values pass the tests"

  private let tests: [JSONTest]

  /// Creates a validator that requires the value at a pointer to be equal to the given one.
  ///
  /// - Throws: `InvalidInput` if the text is not a JSON Pointer.
  public init(at pointer: String, equals value: Value) throws(InvalidInput) {
    try self.init(options: Options([Test(at: pointer, equals: value)]))
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if there is no test, or if one of them is invalid.
  public init(options: Options) throws(InvalidInput) {
    guard !options.tests.isEmpty else {
      throw InvalidInput("the list of tests is empty", remedy: "give at least one, such as { at: /status }")
    }
    var tests: [JSONTest] = []
    for (index, test) in options.tests.enumerated() {
      // A single test is not written as a list.
      let path = options.tests.count > 1 ? ["\(index)"] : []
      do throws(InvalidInput) {
        tests.append(try JSONTest(test))
      } catch {
        throw error.at(path)
      }
    }
    self.tests = tests
  }

  /// Parses the body, and runs the tests in order.
  public func validate(_ response: ProbeResponse) -> Validation {
    // A truncated JSON text is inconclusive: a member of the same name may follow.
    if response.bodyIsCut { return .rejectedBody(of: response, expected: expected) }
    let document: JSONValue
    do {
      document = try JSONParser(maximumLength: .max).value(of: response.body)
    } catch {
      return notJSON(response, error)
    }
    var captures: [String: String] = [:]
    for test in tests {
      switch test.judge(document) {
      case .passed(let found): captures.merge(found) { first, _ in first }
      case .failed(let found): return .rejected(.bodyMismatch, expected: test.expected, found: found)
      case .limit:
        return .rejected(
          .matchLimit, expected: test.expected,
          found: "that the pattern needs more work than it may have")
      }
    }
    return .accepted(captures: captures)
  }

  private var expected: String { "JSON with \(tests.map(\.expected).joined(separator: ", "))" }

  /// A rejection with the position of the error, and the start of a body that does not look like JSON.
  private func notJSON(_ response: ProbeResponse, _ error: JSONError) -> Validation {
    guard !response.body.isEmpty else { return .rejectedBody(of: response, expected: expected) }
    let location = error.line > 0 ? " in line \(error.line), column \(error.column)" : ""
    return .rejected(
      .bodyMismatch, expected: expected,
      found: "a body that is not JSON: \(error.problem)\(location)")
  }
}

extension JSONValidator: Compiled {
  package var compiledSize: Int { tests.reduce(0) { $0 + $1.compiledSize } }
}
