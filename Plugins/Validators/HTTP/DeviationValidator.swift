public import ProbeCore

/// Accepts a response that violates HTTP in a certain way; `deviation` in a pipeline file.
///
/// ProbeKit accepts these violations, as browsers do; other clients refuse some of them. With `not`, the
/// validator requires a response without them.
public struct DeviationValidator: ConfigurableValidator {
  /// The violations, one of which is sufficient: in a file `deviation: noField`, a list, or `deviation: any`.
  public struct Options: Hashable, Sendable {
    /// The names of deviations, or `any` alone.
    public var names: [String]

    /// Creates options.
    public init(names: [String]) {
      self.names = names
    }
  }

  /// The key in a pipeline file.
  public static let name = "deviation"
  /// A summary of the accepted responses.
  public static let summary: String? =
    "the response violates HTTP in one of these ways, which browsers accept nevertheless"

  private static let any = "any"

  /// The violations; nil for any.
  private let deviations: [Deviation]?

  /// Creates a validator for these violations.
  public init(_ deviations: Deviation...) {
    self.deviations = deviations
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if there is no name, or if a name is unknown.
  public init(options: Options) throws(InvalidInput) {
    guard !options.names.isEmpty else {
      throw InvalidInput("the list of deviations is empty", remedy: "name one, or any")
    }
    guard options.names != [Self.any] else {
      deviations = nil
      return
    }
    deviations = try options.names.mapItems { name throws(InvalidInput) in
      if let deviation = Deviation.all.first(where: { $0.rawValue == name }) { return deviation }
      let known = Deviation.all.map(\.rawValue) + [Self.any]
      let guess = nearestName(to: name, among: known).map { "did you mean \($0)?" }
      throw InvalidInput(
        name == Self.any ? "any includes the other deviations" : "unknown deviation \(Excerpt(name))",
        remedy: name == Self.any ? "use it alone" : guess ?? "use \(known.joined(separator: ", "))")
    }
  }

  /// The content, and header fields, which only HTTP has.
  public var judges: ResponseParts { [.content, .http] }

  /// Compares the deviations of the response.
  public func validate(_ response: ProbeResponse) -> Validation {
    let found = response.deviations
    if found.contains(where: { deviations?.contains($0) ?? true }) { return .accepted }
    let expected = deviations.map { "a response with \($0.map(\.description).joined(separator: ", or "))" }
    return .rejected(
      expected: expected ?? "a response that violates HTTP",
      found: found.isEmpty ? "none" : found.map(\.description).joined(separator: ", "))
  }
}

extension DeviationValidator.Options: DeclaredOptions {
  /// A name, or a list of names.
  public static let declaration = OptionsDeclaration(
    Self(names: []),
    short: .value(
      \.names.oneOrMore,
      .oneOrMore(of: .checkedWhenDecoded(.choice(Deviation.all.map(\.rawValue) + ["any"])))))
}

extension DeviationValidator {
  /// One violation, and any.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(Options(names: ["noField", "noLength"]), accepts: odd, rejects: .example()),
      ValidatorExample(Options(names: ["any"]), accepts: odd, rejects: .example()),
    ]
  }

  private static var odd: ProbeResponse {
    var response = ProbeResponse.example()
    response.deviations = [.noField]
    return response
  }
}
