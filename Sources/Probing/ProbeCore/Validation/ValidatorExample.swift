/// Options of a validator with a response they accept and one they reject.
///
/// Examples serve as documentation, and the conformance test runs them.
public struct ValidatorExample<Options: Codable & Sendable>: Sendable {
  /// The options of the validator.
  public var options: Options
  /// A response that a validator with these options accepts.
  public var accepts: ProbeResponse
  /// A response that a validator with these options rejects.
  public var rejects: ProbeResponse

  /// Creates an example.
  public init(_ options: Options, accepts: ProbeResponse, rejects: ProbeResponse) {
    self.options = options
    self.accepts = accepts
    self.rejects = rejects
  }

  /// Creates an example about the body alone, of a response with status 200.
  public init(_ options: Options, accepts body: String, rejects other: String) {
    self.init(options, accepts: .example(body: body), rejects: .example(body: other))
  }
}

extension ProbeResponse {
  /// An HTTP response from `https://probe.example/`, for examples and tests; add to it as needed.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - fields: The header fields.
  ///   - body: The body.
  /// - Returns: The response, without an address, timings or a TLS session.
  public static func example(
    status: Int = 200, fields: HeaderFields = [:], body: String = ""
  ) -> ProbeResponse {
    ProbeResponse(
      url: .example, head: HTTPResponseHead(status: status, fields: fields), body: Array(body.utf8))
  }
}

extension ProbeURL {
  /// A URL with a reserved host name (RFC 2606 §2).
  static let example = ProbeURL(
    scheme: .https, host: "probe.example", explicitPort: nil, path: "/", query: nil, fragment: nil)
}
