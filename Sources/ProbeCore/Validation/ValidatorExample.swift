/// Options of a validator with a response it accepts and one it rejects, for its documentation and its conformance
/// test.
public struct ValidatorExample<Options: Codable & Sendable>: Sendable {
  /// The options of the validator.
  public var options: Options
  /// A response that a validator with these options accepts.
  public var accepts: ProbeResponse
  /// A response that a validator with these options rejects.
  public var rejects: ProbeResponse

  /// An example.
  public init(_ options: Options, accepts: ProbeResponse, rejects: ProbeResponse) {
    self.options = options
    self.accepts = accepts
    self.rejects = rejects
  }

  /// An example about the body alone, of an answer with status 200.
  public init(_ options: Options, accepts body: String, rejects other: String) {
    self.init(options, accepts: .example(body: body), rejects: .example(body: other))
  }
}

extension ProbeResponse {
  /// An HTTP answer as `https://probe.example/` might give it, for examples and tests; complete it as needed.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - fields: The header fields.
  ///   - body: The content.
  /// - Returns: The answer; it has neither an address nor timings nor a TLS session.
  public static func example(
    status: Int = 200, fields: HeaderFields = [:], body: String = ""
  ) -> ProbeResponse {
    ProbeResponse(
      url: .example, head: HTTPResponseHead(status: status, fields: fields), body: Array(body.utf8))
  }
}

extension ProbeURL {
  /// A URL that no network knows (RFC 2606 §2).
  static let example = ProbeURL(
    scheme: .https, host: "probe.example", explicitPort: nil, path: "/", query: nil, fragment: nil)
}
