public import ProbeCore
internal import ProbeTLS

/// Accepts a response whose body has a certain hash; `hash` in a pipeline file.
///
/// The hash covers the whole decoded body, byte by byte. A body that was not received completely is
/// undecided.
public struct HashValidator: ConfigurableValidator {
  /// The hash: in a file `hash: { sha256: HEX }` or `hash: { sha512: HEX }`; for digits alone, their number
  /// determines the hash function.
  public struct Options: Hashable, Sendable {
    /// The SHA-256 in hexadecimal, or nil.
    public var sha256: String?
    /// The SHA-512 in hexadecimal, or nil.
    public var sha512: String?

    /// Creates options with one of the two.
    public init(sha256: String? = nil, sha512: String? = nil) {
      self.sha256 = sha256
      self.sha512 = sha512
    }
  }

  /// The key in a pipeline file.
  public static let name = "hash"
  /// A summary of the accepted responses.
  public static let summary: String? = "the whole body has this SHA-256 or SHA-512"

  private let digest: MessageDigest
  private let digits: String

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if there is not exactly one hash, or if it does not have the right number of
  ///   hexadecimal digits.
  public init(options: Options) throws(InvalidInput) {
    switch (options.sha256, options.sha512) {
    case (let digits?, nil): (digest, self.digits) = (.sha256, digits.lowercased())
    case (nil, let digits?): (digest, self.digits) = (.sha512, digits.lowercased())
    case (nil, nil): throw InvalidInput("the hash is missing", remedy: "add sha256 or sha512")
    default: throw InvalidInput("there are two hashes", remedy: "keep sha256 or sha512")
    }
    guard digits.utf8.count == digest.digitCount, digits.utf8.allSatisfy({ $0.hexDigitValue != nil }) else {
      let command = "\(digest.rawValue)sum FILE"
      throw InvalidInput(
        "\(Excerpt(digits)) is not a \(digest.title)",
        remedy: "give its \(digest.digitCount) hexadecimal digits, as \(command) prints them"
      ).at(digest.rawValue)
    }
  }

  /// Compares the hash of the body.
  public func validate(_ response: ProbeResponse) -> Validation {
    let expected = "a body with the \(digest.title) \(digits)"
    if response.bodyIsCut {
      return .rejected(
        .bodyTooLarge, expected: expected,
        found: "a body that was cut at \(response.body.count) bytes; raise maxBody")
    }
    let found = digest.hexadecimal(of: response.body)
    if found == digits { return .accepted }
    let size = response.body.count == 1 ? "1 byte" : "\(response.body.count) bytes"
    return .rejected(.bodyMismatch, expected: expected, found: "\(size) with \(found)")
  }
}

extension MessageDigest {
  /// The name in messages.
  fileprivate var title: String {
    switch self {
    case .sha256: "SHA-256"
    case .sha512: "SHA-512"
    }
  }
}

extension HashValidator.Options: DeclaredOptions {
  /// The digits, or a mapping.
  public static let declaration = OptionsDeclaration(
    Self(),
    short: .value(
      digits("^([0-9A-Fa-f]{64}|[0-9A-Fa-f]{128})$"), of: { $0.sha256 ?? $0.sha512 },
      make: { Self(digits: $0) }),
    [
      OptionField(
        "sha256", \.sha256, digits("^[0-9A-Fa-f]{64}$"), required: true,
        summary: "the SHA-256 of the body, in hexadecimal")
    ],
    [
      OptionField(
        "sha512", \.sha512, digits("^[0-9A-Fa-f]{128}$"), required: true,
        summary: "the SHA-512 of the body, in hexadecimal")
    ])

  private static func digits(_ pattern: String) -> ValueSchema {
    // There is no example, because it would not fit into a line of the manual.
    .text(pattern: pattern)
  }

  /// Creates options with digits whose number determines the hash function.
  private init(digits: String) {
    let isLong = digits.utf8.count > MessageDigest.sha256.digitCount
    self.init(sha256: isLong ? nil : digits, sha512: isLong ? digits : nil)
  }
}

extension HashValidator {
  /// Both hash functions, in either case.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(sha256: "2689367b205c16ce32ed4200942b8b8b1e262dfc70d9bc9fbc77c49699a4f1df"), accepts: "ok",
        rejects: "ok\n"),
      ValidatorExample(
        Options(
          sha512:
            "9FBBBB5A0F329F9782E2356FA41D89CF9B3694327C1A934D6AF2A9DF2D7F936C"
            + "E83717FB513196A4CE5548471708CD7134C2AE99B3C357BCABB2EAFC7B9B7570"), accepts: "ok",
        rejects: "log in first"),
    ]
  }
}
