internal import ProbeCore

/// A signature that a certificate may have.
enum CertificateSignature: Sendable {
  /// One with a hash function that is at least as strong as this one.
  case atLeast(hash: String, strength: Int)
  /// One by the algorithm with this name.
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

  /// Whether a certificate has such a signature.
  func includes(_ certificate: CertificateFacts) -> Bool {
    switch self {
    case .atLeast(_, let strength):
      certificate.signatureHash.flatMap { Self.strengths[$0] }.map { $0 >= strength } ?? false
    case .algorithm(let name): certificate.signatureAlgorithm?.lowercased() == name.lowercased()
    }
  }
}

extension CertificateSignature: CustomStringConvertible {
  var description: String {
    switch self {
    case .atLeast(let hash, _): "\(hash) or stronger"
    case .algorithm(let name): name
    }
  }
}
