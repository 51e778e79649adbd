internal import ProbeBase
internal import ProbeCodecs

/// The content codings that a client accepts (RFC 9110 §12.5.3).
struct AcceptedCodings {
  private var weights: [String: Double] = [:]

  /// The codings in the Accept-Encoding fields of a request; elements with a malformed weight are ignored.
  init(_ request: HTTPServiceRequest) {
    for field in request.fields where field.name == "accept-encoding" {
      for element in field.value.parts(between: ",") {
        let (coding, parameter) = element.divided(at: ";") ?? (element, "")
        let name = coding.withoutOuterSpace.lowercased()
        let isWeighted = coding.endIndex < element.endIndex
        guard !name.isEmpty, let weight = isWeighted ? Self.weight(parameter) : 1 else { continue }
        weights[name == "x-gzip" ? "gzip" : name] = weight
      }
    }
  }

  /// Whether the client accepts gzip, and does not prefer uncompressed content.
  var prefersGzip: Bool {
    let gzip = weights["gzip"] ?? weights["*"] ?? 0
    return gzip > 0 && gzip >= weights["identity"] ?? 0
  }

  /// The weight in `q=0.5`, from 0 to 1 with at most three decimals (RFC 9110 §12.4.2); nil if it is malformed.
  private static func weight(_ text: Substring) -> Double? {
    guard let (name, value) = text.divided(at: "="), name.withoutOuterSpace.lowercased() == "q" else {
      return nil
    }
    let digits = value.withoutOuterSpace
    guard (1...5).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      let weight = Double(digits), weight <= 1
    else { return nil }
    return weight
  }
}

extension HTTPServiceResponse {
  /// The minimum size in bytes of a body to compress.
  private static let leastCompressed = 1024

  /// The response in the form that a client prefers.
  ///
  /// It has a Vary field even if it is not compressed, so that caches know that it depends on the request
  /// (RFC 9110 §12.5.5).
  func coded(for request: HTTPServiceRequest) -> HTTPServiceResponse {
    guard mayBeCompressed, body.count >= Self.leastCompressed else { return self }
    var coded = self
    coded.fields.append("Vary: Accept-Encoding")
    guard AcceptedCodings(request).prefersGzip, let packed = Deflation.gzip(body) else { return coded }
    coded.body = packed
    coded.fields.append("Content-Encoding: gzip")
    return coded
  }
}
