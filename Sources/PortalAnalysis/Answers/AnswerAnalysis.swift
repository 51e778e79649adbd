public import ProbeCore

/// What an answer that is not the expected one tells of whoever gave it.
///
/// Pure: nothing of the answer is run, and nothing that it names is fetched. The work grows with the size of the answer
/// and no faster, and what is kept of it is small.
public struct AnswerAnalysis: Hashable, Sendable {
  /// What the answer is.
  public var kind: AnswerKind
  /// Where to log in; nil unless the answer is a portal's, and where ``withheld`` is all that it names.
  public var portal: Portal?
  /// Where a portal says to log in although nobody is sent there: an address of this machine, or of its link alone.
  public var withheld: Portal?
  /// What speaks for that, and what against, the weightiest first.
  public var signs: [AnswerSign]
  /// Whether the answer itself says in a protocol's own words that a login is required: by status 511 (RFC 6585 §6), a
  /// WISPr redirect or a document of RFC 8908.
  public var isStated: Bool
  /// Whether it leads by itself to a login in the local network, where no public server sends its clients.
  public var isLocal: Bool
  /// What answers have in common that are made alike, whatever URL they were asked for: a hash of the status, of where
  /// it leads, and of the page's structure and title.
  public var likeness: UInt64

  /// What an answer tells.
  public init(
    _ kind: AnswerKind, portal: Portal? = nil, withheld: Portal? = nil, signs: [AnswerSign] = [],
    isStated: Bool = false, isLocal: Bool = false, likeness: UInt64 = 0
  ) {
    self.kind = kind
    self.portal = portal
    self.withheld = withheld
    self.signs = signs
    self.isStated = isStated
    self.isLocal = isLocal
    self.likeness = likeness
  }

  /// The portal that the answer shows, be it one whose login page nobody is sent to.
  package var shown: Portal? { portal ?? withheld }
}

extension AnswerAnalysis {
  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - url: The URL that was asked first, before any redirect.
  ///   - encryption: Whether a scheme is encrypted; nil for a scheme nothing is known of.
  public init(of answer: ProbeResponse, asked url: ProbeURL, encryption: (URLScheme) -> Encryption?) {
    var reading = AnswerReading(answer, asked: url)
    reading.readRedirects(encryption)
    reading.readHead()
    reading.readBody()
    self = reading.analysis
  }
}
