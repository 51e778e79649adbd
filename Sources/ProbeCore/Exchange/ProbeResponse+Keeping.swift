/// What is kept of an answer once it is judged, for a report: as much as a server usually says, and no more.
///
/// A run may have a hundred thousand answers, and what they take together must not be up to the servers.
extension ProbeResponse {
  /// How many bytes of header fields are kept.
  private static let mostOfFields = 2048
  /// How many bytes of a text that a server chose.
  private static let mostOfText = 1024
  /// How many certificates of a chain.
  private static let mostCertificates = 8

  /// Leaves out the body, and what else is longer than anybody reads in a report.
  package mutating func keepForReport() {
    body = []
    if let head, head.isLongerThan(fields: Self.mostOfFields, text: Self.mostOfText) {
      self.head?.version = head.version.shortened(to: 16)
      self.head?.reasonPhrase = head.reasonPhrase.shortened(to: Self.mostOfText)
      self.head?.fields.shorten(to: Self.mostOfFields)
    }
    for index in redirects.indices {
      guard let location = redirects[index].location, location.utf8.count > Self.mostOfText else { continue }
      redirects[index].location = location.shortened(to: Self.mostOfText)
    }
    if let chain = tls?.chain,
      chain.count > Self.mostCertificates || chain.contains(where: { $0.isLongerThan(Self.mostOfText) })
    {
      tls?.chain = chain.prefix(Self.mostCertificates).map { $0.shortened(to: Self.mostOfText) }
    }
  }
}

extension HTTPResponseHead {
  fileprivate func isLongerThan(fields most: Int, text: Int) -> Bool {
    fields.byteCount > most || reasonPhrase.utf8.count > text || version.utf8.count > 16
  }
}

extension CertificateFacts {
  /// Names beyond this many times the length of a text are left out: certificates with a hundred are in use.
  private static let textsOfNames = 4

  fileprivate func isLongerThan(_ most: Int) -> Bool {
    subject.utf8.count > most || issuer.utf8.count > most
      || alternativeNames.reduce(0) { $0 + $1.utf8.count } > most * Self.textsOfNames
  }

  fileprivate func shortened(to most: Int) -> CertificateFacts {
    var certificate = self
    certificate.subject = subject.shortened(to: most)
    certificate.issuer = issuer.shortened(to: most)
    var room = most * Self.textsOfNames
    certificate.alternativeNames = Array(
      alternativeNames.prefix {
        // Each is an object of its own besides.
        room -= $0.utf8.count + 16
        return room >= 0
      })
    return certificate
  }
}

extension String {
  /// Its beginning.
  fileprivate func shortened(to most: Int) -> String {
    guard utf8.count > most else { return self }
    return String(decoding: Array(utf8.prefix(most)), as: UTF8.self)
  }
}
