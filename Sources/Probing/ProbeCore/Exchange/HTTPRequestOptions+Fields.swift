internal import ProbeBase

/// The header fields of a request, for all HTTP transports.
extension HTTPRequestOptions {
  /// The fields to send, in order: those in ``headers``, then the default fields that none of them replaces.
  ///
  /// The transport adds Host, Accept and the fields of the content.
  ///
  /// - Parameter requestsClose: Whether the request asks the server to close the connection after its
  ///   response.
  /// - Returns: The fields.
  package func sentFields(requestsClose: Bool = true) -> [HeaderFields.Element] {
    var fields = Array(headers)
    func add(_ name: String, _ value: String) {
      guard headers[name] == nil, !omits(name) else { return }
      fields.append(HeaderFields.Element(name: name, value: value))
    }
    if !contentCodings.isEmpty { add("Accept-Encoding", contentCodings.joined(separator: ", ")) }
    add("User-Agent", userAgent)
    // A cached response does not show the state of the network behind the cache (RFC 9111 §5.2.1.4); Pragma
    // is for HTTP/1.0 caches (§5.4).
    add("Cache-Control", "no-cache")
    add("Pragma", "no-cache")
    // Connections are never reused (RFC 9112 §9.6). The server may then close first, and the port in
    // TIME_WAIT is on its side, so that a machine with many probes does not run out of ports. HTTP/2 has no
    // such field (RFC 9113 §8.2.2); libcurl leaves it out.
    if requestsClose { add("Connection", "close") }
    if let credentials {
      fields.append(
        credentials.fieldValue.withText { HeaderFields.Element(name: "Authorization", value: $0) })
    }
    return fields
  }

  static let defaultFieldNames = [
    "Accept", "Accept-Encoding", "Cache-Control", "Connection", "Pragma", "User-Agent",
  ]

  /// Whether the default field with this name is not sent.
  package func omits(_ name: String) -> Bool {
    omittedFields.contains { Self.isSameName($0, name) }
  }

  private static func isSameName(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8) { $0.isSameLetter($1) }
  }

  /// Whether ``sentFields(requestsClose:)`` are those of a request with the default options.
  package var sendsDefaultFields: Bool {
    headers.isEmpty && omittedFields.isEmpty && credentials == nil
      && contentCodings == Self.defaults.contentCodings
      && userAgent == Self.defaults.userAgent
  }

  private static let defaults = HTTPRequestOptions()

  /// Checks whether the options can be put into a request.
  ///
  /// - Throws: ``InvalidInput`` naming the option that is not valid.
  package func checkFields() throws(InvalidInput) {
    guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenCharacter) else {
      throw InvalidInput("\(Excerpt(method)) is not a request method", remedy: "use one such as GET or HEAD")
        .about("method")
    }
    guard userAgent.utf8.allSatisfy(\.isFieldCharacter) else {
      throw InvalidInput(
        "the user agent contains a control character", remedy: "use visible characters and spaces"
      ).about("userAgent")
    }
    for (position, field) in headers.enumerated() {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isTokenCharacter) else {
        throw InvalidInput(
          "\(Excerpt(field.name)) is not a header field name", remedy: "write it as in Accept"
        ).about("headers")
      }
      // Check the raw bytes: as text, a line break followed by a space would look like a folded value.
      guard headers.rawValue(at: position).allSatisfy(\.isFieldCharacter) else {
        throw InvalidInput(
          "the header field \(field.name) contains a control character",
          remedy: "use visible characters and spaces"
        ).about("headers")
      }
    }
    for name in omittedFields
    where !Self.defaultFieldNames.contains(where: { Self.isSameName($0, name) }) {
      throw InvalidInput(
        "the header field \(Excerpt(name)) is not a default one, so it cannot be omitted",
        remedy: "the default fields are \(Self.defaultFieldNames.joined(separator: ", "))"
      ).about("headers")
    }
    guard let credentials else { return }
    do throws(InvalidInput) { try credentials.check() } catch { throw error.about("auth") }
    guard headers["Authorization"] == nil else {
      throw InvalidInput(
        "the header field Authorization cannot be combined with credentials", remedy: "omit one of them"
      ).about("headers", "auth")
    }
  }

  /// Checks that the version is known, and that HTTP/2 is used only with TLS.
  ///
  /// - Throws: ``InvalidInput`` naming the version.
  package func checkVersion(for url: ProbeURL) throws(InvalidInput) {
    guard HTTPVersion.all.contains(version) else {
      throw InvalidInput("\(Excerpt(version.rawValue)) is not an HTTP version", remedy: "use 1.0, 1.1 or 2")
        .about("httpVersion")
    }
    guard version == .v2, url.scheme != .https else { return }
    throw InvalidInput("HTTP/2 requires TLS", remedy: "use an https URL, or version 1.1")
      .about("httpVersion")
  }
}

extension ProbeRequest {
  /// Checks that a request does not have two sets of credentials for its proxy.
  ///
  /// - Throws: ``InvalidInput`` naming the field.
  package func checkProxyFields() throws(InvalidInput) {
    guard proxy?.user != nil, http.headers["Proxy-Authorization"] != nil else { return }
    throw InvalidInput(
      "the header field Proxy-Authorization cannot be combined with the proxy's user",
      remedy: "omit one of them"
    ).about("headers", "proxy")
  }
}

extension UInt8 {
  /// Whether a field value can contain the byte (RFC 9110 §5.5); bytes above ASCII are included.
  fileprivate var isFieldCharacter: Bool {
    self == UInt8(ascii: "\t") || (self >= 0x20 && self != 0x7F)
  }
}
