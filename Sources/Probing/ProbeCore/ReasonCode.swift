/// A stable, machine-readable code for the reason why a probe was not accepted.
///
/// The set is open: a plugin can define its own codes, in the form `area.word`. ProbeKit's own codes are in
/// ``all``; their number is bounded, so they are suitable as metric labels.
public struct ReasonCode: RawRepresentable, Hashable, Sendable, Codable {
  private let definition: Definition

  /// Creates a code from its written form.
  public init(rawValue: String) {
    definition = Self.definitions[rawValue] ?? Definition(rawValue, nil, [])
  }

  private init(_ definition: Definition) {
    self.definition = definition
  }

  /// The code as written in reports, such as `tls.expired`.
  public var rawValue: String { definition.rawValue }

  /// The meaning of the code, as a clause, or nil if the code is not one of ProbeKit's own.
  public var meaning: String? { definition.meaning }

  /// The traits of the code; empty if the code is not one of ProbeKit's own.
  package var traits: Traits { definition.traits }

  /// The part before the first dot, such as `tls`.
  public var area: Substring {
    rawValue.prefix { $0 != "." }
  }
}

extension ReasonCode {
  /// Properties of a reason, independent of its source.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// The condition may pass, so a retry makes sense.
    package static let transient = Self(rawValue: 1 << 0)
    /// The reason comes from a name lookup.
    package static let lookup = Self(rawValue: 1 << 1)
    /// The network prevented the exchange.
    package static let stopsTraffic = Self(rawValue: 1 << 2)
    /// A certificate is not valid at this time.
    package static let certificateDate = Self(rawValue: 1 << 3)
    /// A certificate does not belong to the server, or its issuer is not trusted.
    package static let certificateIssuer = Self(rawValue: 1 << 4)
    /// A certificate was refused.
    package static let badCertificate: Self = [.certificateDate, .certificateIssuer]
    /// The reason concerns the connection, not the response.
    package static let aboutConnection = Self(rawValue: 1 << 5)
    /// The reason concerns the received data.
    package static let aboutContent = Self(rawValue: 1 << 6)
    /// A validator could not judge the response, rather than finding something that it does not accept.
    package static let undecided = Self(rawValue: 1 << 7)
    /// The request, its policy or the caller ended the probe.
    package static let byCaller = Self(rawValue: 1 << 8)
    /// This machine lacks a resource.
    package static let thisMachine = Self(rawValue: 1 << 9)
  }

  /// A code with everything known about it.
  private final class Definition: Sendable {
    let rawValue: String
    let meaning: String?
    let traits: Traits

    init(_ rawValue: String, _ meaning: String?, _ traits: Traits) {
      self.rawValue = rawValue
      self.meaning = meaning
      self.traits = traits
    }
  }

  static func known(_ rawValue: String, _ meaning: String, _ traits: Traits = []) -> ReasonCode {
    ReasonCode(Definition(rawValue, meaning, traits))
  }

  private static let definitions = Dictionary(
    uniqueKeysWithValues: all.map { ($0.rawValue, $0.definition) })
}

extension ReasonCode {
  /// Reads a code from its written form.
  ///
  /// The form is words of ASCII letters and digits, separated by dots, with at most 100 characters.
  ///
  /// - Throws: ``InvalidInput`` for anything else.
  public init(written text: String) throws(InvalidInput) {
    let words = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isCode =
      text.utf8.count <= 100
      && words.allSatisfy { word in
        !word.isEmpty && word.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
      }
    guard isCode else {
      throw InvalidInput(
        "\(Excerpt(text)) is not a reason code",
        remedy: "write it in letters, digits and dots, such as office.maintenance")
    }
    self.init(rawValue: text)
  }
}

extension ReasonCode: CustomStringConvertible {
  /// The code as written in reports.
  public var description: String { rawValue }
}
