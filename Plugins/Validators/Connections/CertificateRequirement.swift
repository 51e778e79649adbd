internal import ProbeCore
internal import ProbeTLS

/// A requirement on the server's own certificate.
enum CertificateRequirement: Sendable {
  case names([(text: String, host: CertificateHost)])
  case issuer(String)
  case keyBits(CertificateValidator.KeyBits)
  case signature([SignatureRequirement])

  /// The requirements of options, apart from the validity.
  ///
  /// - Throws: `InvalidInput` if one of them is not valid.
  static func requirements(
    of options: CertificateValidator.Options
  ) throws(InvalidInput) -> [CertificateRequirement] {
    var requirements: [CertificateRequirement] = []
    if !options.names.isEmpty {
      let hosts = try options.names.mapItems(at: "names") { name throws(InvalidInput) in
        (text: name, host: try host(name))
      }
      requirements.append(.names(hosts))
    }
    if let issuer = options.issuer {
      guard !issuer.isEmpty else {
        throw InvalidInput("the issuer is empty", remedy: "give a part of its name").at("issuer")
      }
      requirements.append(.issuer(issuer))
    }
    if let bits = options.keyBits {
      guard bits.rsa != nil || bits.ec != nil else {
        throw InvalidInput("the minimum sizes are missing", remedy: "add rsa, ec or both").at("keyBits")
      }
      // A plain number applies to RSA; a value in the hundreds is almost certainly meant for elliptic curves.
      guard bits.rsa ?? 1024 >= 1024 else {
        throw InvalidInput(
          "a minimum of \(bits.rsa ?? 0) bits is too small for RSA",
          remedy: "use 1024 or more; for elliptic curves, write { ec: 256 }"
        ).at("keyBits")
      }
      requirements.append(.keyBits(bits))
    }
    let signatures = try options.signature.mapItems(at: "signature") { text throws(InvalidInput) in
      try SignatureRequirement(text)
    }
    if !signatures.isEmpty { requirements.append(.signature(signatures)) }
    return requirements
  }

  private static func host(_ name: String) throws(InvalidInput) -> CertificateHost {
    let isName = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    guard isName, let host = try? CertificateHost(name) else {
      throw InvalidInput(
        "\(Excerpt(name)) is not a name in a certificate",
        remedy: "write a host name such as shop.example, in ASCII, or an address")
    }
    return host
  }

  /// Whether it is about the names of the server, which do not apply to servers that only redirected to it.
  var isAboutNames: Bool { if case .names = self { true } else { false } }

  /// A description of the requirement.
  var expected: String {
    switch self {
    case .names(let hosts): "a certificate for \(hosts.map(\.text).joined(separator: " and "))"
    case .issuer(let text): "a certificate from an issuer with \(Excerpt(text)) in its name"
    case .keyBits(let bits):
      "a key of at least "
        + [bits.rsa.map { "\($0) bits for RSA" }, bits.ec.map { "\($0) bits for elliptic curves" }]
        .compactMap(\.self).joined(separator: " or ")
    case .signature(let signatures):
      "a signature with \(signatures.map(\.description).joined(separator: " or "))"
    }
  }

  /// The rejection of a certificate, or nil if it meets the requirement.
  func rejection(of certificate: CertificateFacts) -> Validation.Rejection? {
    switch self {
    case .names(let hosts):
      guard !hosts.allSatisfy({ $0.host.isNamed(among: certificate.alternativeNames) }) else { return nil }
      let names = certificate.alternativeNames
      let shown = names.prefix(5).map { "\(Excerpt($0))" }.joined(separator: ", ")
      let more = max(0, names.count - 5) + certificate.omittedNames
      let others = more > 0 ? " and \(more) more" : ""
      let found = names.isEmpty ? "one without names" : "one for \(shown)\(others)"
      return Validation.Rejection(.certificateLacksName, expected: expected, found: found)
    case .issuer(let text):
      let wanted = text.lowercased()
      guard !certificate.issuerNames.contains(where: { $0.lowercased().contains(wanted) }) else { return nil }
      return Validation.Rejection(
        .certificateIssuerMismatch, expected: expected, found: "one from \(Excerpt(certificate.issuer))")
    case .keyBits(let bits): return keyRejection(of: certificate, bits)
    case .signature(let signatures):
      guard !signatures.contains(where: { $0.isMet(by: certificate) }) else { return nil }
      var found = certificate.signatureAlgorithm.map { "\(Excerpt($0))" } ?? "an unknown one"
      if let hash = certificate.signatureHash { found += " with \(hash.escapedForDisplay)" }
      return Validation.Rejection(.certificateWeakSignature, expected: expected, found: found)
    }
  }

  private func keyRejection(
    of certificate: CertificateFacts, _ bits: CertificateValidator.KeyBits
  ) -> Validation.Rejection? {
    let (least, title): (Int?, String) =
      switch certificate.keyAlgorithm {
      case "rsa": (bits.rsa, "an RSA key")
      case "dsa": (bits.rsa, "a DSA key")
      case "ec", "ed25519", "ed448": (bits.ec, "a key on an elliptic curve")
      // The appropriate size of other kinds of keys is unknown.
      default: (.max, "a key of another kind")
      }
    guard let least, certificate.keyBits ?? 0 < least else { return nil }
    let size = certificate.keyBits.map { " of \($0) bits" } ?? ""
    return Validation.Rejection(.certificateWeakKey, expected: expected, found: title + size)
  }
}

/// A requirement on the signature of a certificate.
enum SignatureRequirement: Sendable {
  /// A signature with a hash function that is at least as strong as this one.
  case atLeast(hash: String, strength: Int)
  /// A signature by the algorithm with this name.
  case algorithm(String)

  /// The hash functions, and their resistance to collisions in bits (NIST SP 800-107 §4.1; for broken ones,
  /// the cost of the known attacks).
  private static let strengths: [String: Int] = [
    "md5": 18, "sha1": 63, "sha224": 112, "sha256": 128, "sha384": 192, "sha512": 256, "sha512-224": 112,
    "sha512-256": 128, "sha3-224": 112, "sha3-256": 128, "sha3-384": 192, "sha3-512": 256, "shake256": 256,
  ]

  /// The names of algorithms in certificates.
  private static let algorithms =
    ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"].map { "\($0)WithRSAEncryption" }
    + ["1", "224", "256", "384", "512"].map { "ecdsa-with-SHA\($0)" }
    + ["rsassaPss", "ED25519", "ED448", "dsa_with_SHA256"]

  /// Parses the name of a hash function or of an algorithm, in any case, or an object identifier.
  ///
  /// - Throws: `InvalidInput` for anything else.
  init(_ text: String) throws(InvalidInput) {
    let name = text.lowercased()
    if let strength = Self.strengths[name] {
      self = .atLeast(hash: name, strength: strength)
    } else if let algorithm = Self.algorithms.first(where: { $0.lowercased() == name }) {
      self = .algorithm(algorithm)
    } else if text.contains("."), text.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }) {
      self = .algorithm(text)
    } else {
      let names = Self.strengths.keys.sorted() + Self.algorithms
      let guess = nearestName(to: text, among: names).map { "did you mean \($0)?" }
      throw InvalidInput(
        "\(Excerpt(text)) is not the name of a signature",
        remedy: guess ?? "use a hash function such as sha256, or an algorithm such as ecdsa-with-SHA256")
    }
  }

  /// Whether the signature of a certificate meets it.
  func isMet(by certificate: CertificateFacts) -> Bool {
    switch self {
    case .atLeast(_, let strength):
      certificate.signatureHash.flatMap { Self.strengths[$0] }.map { $0 >= strength } ?? false
    case .algorithm(let name): certificate.signatureAlgorithm?.lowercased() == name.lowercased()
    }
  }
}

extension SignatureRequirement: CustomStringConvertible {
  var description: String {
    switch self {
    case .atLeast(let hash, _): "\(hash) or stronger"
    case .algorithm(let name): name
    }
  }
}
