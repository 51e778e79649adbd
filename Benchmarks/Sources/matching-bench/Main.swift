import BenchComparisons
import Validators
import ProbeCore

/// Measures the text validators, compared with direct calls of PCRE2 and the C library.
///
/// `--smoke` makes every call once, checks the results, and prints no times; any other argument selects the
/// comparisons with this text in their names. The rows of 100 bytes show the cost of a judgment besides the
/// search.
@main
enum MatchingBench {
  static func main() throws {
    let isSmoke = CommandLine.arguments.contains("--smoke")
    let part = CommandLine.arguments.dropFirst().first { $0 != "--smoke" } ?? ""
    let comparisons = try comparisons().filter { part.isEmpty || $0.name.contains(part) }
    for comparison in comparisons where !comparison.isRight() {
      fatalError("wrong result: \(comparison.name)")
    }
    guard !isSmoke else {
      print("\(comparisons.count) comparisons, all results right")
      return
    }
    printTable(comparisons) { $0.yardstick / $0.ours }
  }

  private static func comparisons() throws -> [Comparison] {
    try [("100 B", 100), ("30 KB", 30_000), ("1 MB", 1 << 20)].flatMap { name, size in
      let response = try page(of: size)
      let isPage = size > 1000
      return try [
        matching("Success", in: response, "matches, \(name)", bar: isPage ? "≥ 0.9" : ""),
        matching("<BODY>\\s*Success", in: response, "matches a tag, \(name)", bar: isPage ? "≥ 0.9" : ""),
        containing("Success", in: response, "contains, \(name)", bar: isPage ? "≥ 0.8" : ""),
        equaling(response, "equals, \(name)"),
      ]
    }
  }

  private static func matching(
    _ pattern: String, in response: ProbeResponse, _ name: String, bar: String
  ) throws -> Comparison {
    let validator: any ResponseValidator = try MatchesValidator(pattern)
    let direct = DirectPattern(pattern)
    let body = response.body
    return Comparison(
      name: name, bar: bar,
      isRight: { !validator.validate(response).isAccepted && !direct.matches(body) },
      ours: { validator.validate(response).isAccepted }, yardstick: { direct.matches(body) })
  }

  private static func containing(
    _ text: String, in response: ProbeResponse, _ name: String, bar: String
  ) throws -> Comparison {
    let validator: any ResponseValidator = try ContainsValidator(text)
    let needle = Array(text.utf8)
    let body = response.body
    return Comparison(
      name: name, bar: bar,
      isRight: { !validator.validate(response).isAccepted && !contains(body, needle) },
      ours: { validator.validate(response).isAccepted }, yardstick: { contains(body, needle) })
  }

  /// Compares the body with itself, so that no byte is skipped.
  private static func equaling(_ response: ProbeResponse, _ name: String) throws -> Comparison {
    let text = String(decoding: response.body, as: UTF8.self)
    let validator: any ResponseValidator = try EqualsValidator(text, trim: false)
    let copy = Array(text.utf8)
    let body = response.body
    return Comparison(
      name: name, bar: "",
      isRight: { validator.validate(response).isAccepted == equals(body, copy) },
      ours: { validator.validate(response).isAccepted }, yardstick: { equals(body, copy) })
  }
}
