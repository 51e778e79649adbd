import BenchComparisons
import PCRE2Validator
import ProbeCore
import StringValidators

/// Measures the validators of text beside the bare calls of PCRE2 and the C library.
///
/// `--smoke` makes every call once, checks the answers, and prints no times; any other argument is a part of the names
/// of those to measure. The rows of 100 bytes show what a judgement costs besides the search.
@main
enum MatchingBench {
  static func main() throws {
    let isSmoke = CommandLine.arguments.contains("--smoke")
    let part = CommandLine.arguments.dropFirst().first { $0 != "--smoke" } ?? ""
    let comparisons = try comparisons().filter { part.isEmpty || $0.name.contains(part) }
    for comparison in comparisons where !comparison.isRight() {
      fatalError("a wrong answer: \(comparison.name)")
    }
    guard !isSmoke else {
      print("\(comparisons.count) comparisons, every answer right")
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
        equalling(response, "equals, \(name)"),
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

  /// The body itself, so that all of it is compared.
  private static func equalling(_ response: ProbeResponse, _ name: String) throws -> Comparison {
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
