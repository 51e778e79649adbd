import ProbeBase
import ProbeCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A correct validator: accepts a body that starts with a word, and reports the word.
struct CorrectValidator: ConfigurableValidator {
  struct Options: Codable, SchemaProviding {
    static let schema = ValueSchema.mapping([.key("word", .text, required: true), .key("caseless", .boolean)])
    var word: String
    var caseless = false
  }

  static let name = "startsWith"
  static let examples = [
    ValidatorExample(Options(word: "up"), accepts: "up since monday", rejects: "down"),
    ValidatorExample(Options(word: "UP", caseless: true), accepts: "Up", rejects: "down"),
  ]
  let options: Options

  init(options: Options) { self.options = options }

  func validate(_ response: ProbeResponse) -> Validation {
    let start = String(decoding: response.body.prefix(options.word.utf8.count), as: UTF8.self)
    let isEqual =
      options.caseless ? start.lowercased() == options.word.lowercased() : start == options.word
    guard !isEqual else { return .accepted(captures: ["word": start]) }
    return .rejectedBody(of: response, expected: "a body that starts with \(Excerpt(options.word))")
  }
}

/// A validator that is correct except for one fault.
protocol BrokenValidator: ConfigurableValidator where Options == CorrectValidator.Options {
  var correct: CorrectValidator { get }
  init(correct: CorrectValidator)
}

extension BrokenValidator {
  static var name: String { "broken" }
  static var examples: [ValidatorExample<Options>] { CorrectValidator.examples }
  init(options: Options) { self.init(correct: CorrectValidator(options: options)) }

  /// The correct result with a modified rejection.
  func rejection(of response: ProbeResponse, _ change: (inout Validation.Rejection) -> Void) -> Validation {
    var validation = correct.validate(response)
    if var rejection = validation.rejection {
      change(&rejection)
      validation.rejection = rejection
    }
    return validation
  }
}

/// Rejects every tenth response to reduce the load.
struct JudgesByACounter: BrokenValidator {
  let correct: CorrectValidator
  private let counter = Guarded(0)

  init(correct: CorrectValidator) { self.correct = correct }

  func validate(_ response: ProbeResponse) -> Validation {
    let number = counter.withLock { count in
      count += 1
      return count
    }
    if number % 10 == 0 { return .rejected(.bodyMismatch, expected: "less load", found: "too much") }
    return correct.validate(response)
  }
}

/// Sets the offset to where the word would have ended.
struct PointsBehindTheBody: BrokenValidator {
  let correct: CorrectValidator

  func validate(_ response: ProbeResponse) -> Validation {
    rejection(of: response) { $0.offset = correct.options.word.utf8.count }
  }
}

/// Leaves its finding blank.
struct SaysNothing: BrokenValidator {
  let correct: CorrectValidator

  func validate(_ response: ProbeResponse) -> Validation {
    rejection(of: response) { $0.found = " " }
  }
}

/// Quotes the entire page.
struct QuotesEverything: BrokenValidator {
  let correct: CorrectValidator

  func validate(_ response: ProbeResponse) -> Validation {
    rejection(of: response) {
      $0.found = "\"\(String(decoding: response.body, as: UTF8.self).escapedForDisplay)\""
    }
  }
}

/// Uses a sentence as its reason.
struct HasASentenceAsReason: BrokenValidator {
  let correct: CorrectValidator

  func validate(_ response: ProbeResponse) -> Validation {
    rejection(of: response) { $0.reason = ReasonCode(rawValue: "Service is down!") }
  }
}

/// Uses a parser that only works on the thread that created it.
struct WorksOnOneThread: BrokenValidator {
  let correct: CorrectValidator
  private let maker = "\(pthread_self())"

  init(correct: CorrectValidator) { self.correct = correct }

  func validate(_ response: ProbeResponse) -> Validation {
    let asking = "\(pthread_self())"
    guard asking == maker else {
      return .rejected(.bodyMismatch, expected: "the thread that made the parser", found: "another one")
    }
    return correct.validate(response)
  }
}

/// Declares that it judges the status only after it has seen one.
struct LearnsToJudgeTheStatus: BrokenValidator {
  let correct: CorrectValidator
  private let hasSeenOne = Guarded(false)

  init(correct: CorrectValidator) { self.correct = correct }

  var judges: ResponseParts { hasSeenOne.withLock { $0 ? [.status, .content] : .content } }

  func validate(_ response: ProbeResponse) -> Validation {
    hasSeenOne.withLock { $0 = response.head != nil }
    return correct.validate(response)
  }
}

/// Captures the status in a rejection.
struct CapturesInARejection: BrokenValidator {
  let correct: CorrectValidator

  func validate(_ response: ProbeResponse) -> Validation {
    var validation = correct.validate(response)
    if !validation.isAccepted { validation.captures["status"] = "\(response.status ?? 0)" }
    return validation
  }
}

/// Accepts every response with a body.
struct AcceptsEveryBody: BrokenValidator {
  let correct: CorrectValidator

  func validate(_ response: ProbeResponse) -> Validation {
    response.body.isEmpty ? correct.validate(response) : .accepted
  }
}

/// Has a name that is invalid in a pipeline file.
struct HasAHyphenInItsName: BrokenValidator {
  static let name = "starts-with"
  let correct: CorrectValidator

  func validate(_ response: ProbeResponse) -> Validation { correct.validate(response) }
}

/// Provides no examples.
struct HasNoExamples: BrokenValidator {
  static let examples: [ValidatorExample<Options>] = []
  let correct: CorrectValidator

  func validate(_ response: ProbeResponse) -> Validation { correct.validate(response) }
}

/// Declares a schema without one of its options.
struct ForgetsAKeyOfItsSchema: ConfigurableValidator {
  struct Options: Codable, SchemaProviding {
    static let schema = ValueSchema.mapping([.key("word", .text, required: true)])
    var word: String
    var caseless = false
  }

  static let name = "broken"
  static let examples = [ValidatorExample(Options(word: "up"), accepts: "up", rejects: "down")]
  private let correct: CorrectValidator

  init(options: Options) {
    correct = CorrectValidator(options: .init(word: options.word, caseless: options.caseless))
  }

  func validate(_ response: ProbeResponse) -> Validation { correct.validate(response) }
}

/// Omits an option when it encodes them.
struct ForgetsAnOption: ConfigurableValidator {
  struct Options: Codable, Sendable {
    var word: String
    var caseless = false

    private enum CodingKeys: String, CodingKey {
      case word
    }
  }

  static let name = "broken"
  static let examples = [
    ValidatorExample(Options(word: "UP", caseless: true), accepts: "Up", rejects: "down")
  ]
  private let correct: CorrectValidator

  init(options: Options) {
    correct = CorrectValidator(options: .init(word: options.word, caseless: options.caseless))
  }

  func validate(_ response: ProbeResponse) -> Validation { correct.validate(response) }
}
