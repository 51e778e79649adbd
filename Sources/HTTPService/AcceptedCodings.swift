internal import ProbeZlib

/// The content codings that a client accepts (RFC 9110 §12.5.3).
struct AcceptedCodings {
  private var weights: [String: Double] = [:]

  /// The codings in the Accept-Encoding fields of a request; elements with a malformed weight are ignored.
  init(_ request: HTTPServiceRequest) {
    for field in request.fields where field.name == "accept-encoding" {
      for element in field.value.split(separator: ",") {
        let parts = element.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        let name = Self.trimmed(parts[0]).lowercased()
        guard !name.isEmpty, let weight = parts.count > 1 ? Self.weight(parts[1]) : 1 else { continue }
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
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
    guard parts.count == 2, parts[0].lowercased() == "q", (1...5).contains(parts[1].utf8.count),
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      let weight = Double(parts[1]), weight <= 1
    else { return nil }
    return weight
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = text.drop(while: isSpace)
    return start.prefix(start.count - start.reversed().prefix(while: isSpace).count)
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
