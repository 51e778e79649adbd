public import ProbeCore

/// Accepts a response if the loss of echo requests is within a limit; `loss` in a pipeline file.
public struct LossValidator: ConfigurableValidator {
  /// The maximum loss: in a file `loss: 20%`.
  public struct Options: Hashable, Sendable {
    /// The percentage, as written.
    public var atMost: String

    /// Creates options.
    public init(atMost: String) {
      self.atMost = atMost
    }
  }

  /// The key in a pipeline file.
  public static let name = "loss"
  /// A summary of the accepted responses.
  public static let summary: String? = "at most this percentage of the echo requests was lost"

  private let limit: Double

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if the text is not a percentage below 100.
  public init(options: Options) throws(InvalidInput) {
    let text = options.atMost
    guard text.last == "%", let limit = Double(text.dropLast()), (0..<100).contains(limit) else {
      throw InvalidInput(
        "\(Excerpt(text)) is not a percentage of loss", remedy: "use one from 0% to below 100%, such as 20%")
    }
    self.limit = limit
  }

  /// Only the replies, which no other protocol has.
  public var judges: ResponseParts { .ping }

  /// Judges the numbers of requests and replies.
  public func validate(_ response: ProbeResponse) -> Validation {
    let shown = limit == limit.rounded() ? "\(Int(bounding: limit))" : "\(limit)"
    let expected = "a loss of at most \(shown) %"
    guard let ping = response.ping else {
      return .rejected(.tooMuchLoss, expected: expected, found: "a response that is not one to echo requests")
    }
    guard Double(ping.sent - ping.received) * 100 > limit * Double(ping.sent) else { return .accepted }
    return .rejected(.tooMuchLoss, expected: expected, found: "\(ping)")
  }
}

extension LossValidator.Options: DeclaredOptions {
  /// A percentage.
  public static let declaration = OptionsDeclaration(
    Self(atMost: ""),
    short: .value(
      \.atMost,
      .text(
        pattern: #"^[0-9]+(\.[0-9]+)?%$"#, canBeNumber: false, canBeBoolean: false, examples: ["20%", "0%"])))
}

extension LossValidator {
  /// Half of the requests may be lost.
  public static var examples: [ValidatorExample<Options>] {
    [ValidatorExample(Options(atMost: "50%"), accepts: .example(replies: 1), rejects: .example(replies: 0))]
  }
}

extension ProbeResponse {
  fileprivate static func example(replies: Int) -> ProbeResponse {
    var response = example()
    response.head = nil
    response.ping = PingFacts(
      sent: 2, roundTrips: Array(repeating: .milliseconds(1), count: replies))
    return response
  }
}
