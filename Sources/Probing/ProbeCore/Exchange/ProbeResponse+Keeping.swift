/// Reduces a response, once it is judged, to what a report needs.
///
/// A run may have a hundred thousand responses, and their total size must not depend on the servers. The
/// limits are above what a server usually sends.
extension ProbeResponse {
  /// The maximum size of the header fields to keep, in bytes.
  private static let maximumFieldBytesKept = 2048
  /// The maximum size of a text that a server chose, in bytes.
  private static let maximumTextKept = 1024
  /// The maximum number of certificates of a chain.
  private static let maximumCertificates = 8

  /// Removes the body, and shortens everything else that is too long for a report.
  package mutating func keepForReport() {
    body = []
    // Reports have neither; the records are in the body of a response that is shown.
    (dns, ping) = (nil, nil)
    // Reports have the certificates of the last session.
    if !redirectSessions.isEmpty { redirectSessions = [] }
    if let head, head.isLongerThan(fields: Self.maximumFieldBytesKept, text: Self.maximumTextKept) {
      self.head?.version = head.version.shortened(to: 16)
      self.head?.reasonPhrase = head.reasonPhrase.shortened(to: Self.maximumTextKept)
      self.head?.fields.shorten(to: Self.maximumFieldBytesKept)
    }
    for index in redirects.indices {
      guard let location = redirects[index].location, location.utf8.count > Self.maximumTextKept else {
        continue
      }
      redirects[index].location = location.shortened(to: Self.maximumTextKept)
    }
    if let chain = tls?.chain,
      chain.count > Self.maximumCertificates
        || chain.contains(where: { $0.isLongerThan(Self.maximumTextKept) })
    {
      tls?.chain = chain.prefix(Self.maximumCertificates).map { $0.shortened(to: Self.maximumTextKept) }
    }
  }
}

extension HTTPResponseHead {
  fileprivate func isLongerThan(fields maximum: Int, text: Int) -> Bool {
    fields.byteCount > maximum || reasonPhrase.utf8.count > text || version.utf8.count > 16
  }
}

extension CertificateFacts {
  /// The maximum total size of a certificate's names, as a multiple of the text limit: certificates with a
  /// hundred names are common.
  private static let textsOfNames = 8
  /// The maximum number of organizations and common names of an issuer.
  private static let maximumIssuerNames = 8
  /// The size of an empty name: that of its object.
  private static let sizeOfEmptyName = 16

  fileprivate func isLongerThan(_ maximum: Int) -> Bool {
    subject.utf8.count > maximum || issuer.utf8.count > maximum
      || issuerNames.count > Self.maximumIssuerNames || issuerNames.contains { $0.utf8.count > maximum }
      || alternativeNames.reduce(0) { $0 + $1.utf8.count + Self.sizeOfEmptyName }
        > maximum * Self.textsOfNames
  }

  fileprivate func shortened(to maximum: Int) -> CertificateFacts {
    var certificate = self
    certificate.subject = subject.shortened(to: maximum)
    certificate.issuer = issuer.shortened(to: maximum)
    certificate.issuerNames = issuerNames.prefix(Self.maximumIssuerNames).map { $0.shortened(to: maximum) }
    var room = maximum * Self.textsOfNames
    certificate.alternativeNames = Array(
      alternativeNames.prefix {
        room -= $0.utf8.count + Self.sizeOfEmptyName
        return room >= 0
      })
    certificate.omittedNames += alternativeNames.count - certificate.alternativeNames.count
    return certificate
  }
}

extension String {
  /// The beginning of the text.
  fileprivate func shortened(to maximum: Int) -> String {
    guard utf8.count > maximum else { return self }
    return String(decoding: Array(utf8.prefix(maximum)), as: UTF8.self)
  }
}
