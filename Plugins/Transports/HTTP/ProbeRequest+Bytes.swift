internal import ByteStreams
internal import ProbeCore

extension ProbeRequest {
  /// The bytes of the request (RFC 9112 §3).
  ///
  /// - Parameter requestsClose: Whether the request asks the server to close the connection after its
  ///   response.
  /// - Returns: The bytes, including the content.
  func wireBytes(requestsClose: Bool) -> [UInt8] {
    let http = http
    let fields =
      http.sendsDefaultFields && requestsClose
      ? RequestFields.ofDefaults : RequestFields(http, requestsClose: requestsClose)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * url.string.utf8.count + fields.lines.count + 128 + (http.body?.count ?? 0))
    let version = http.version == .v1_0 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n"
    bytes += http.method.utf8
    bytes.append(UInt8(ascii: " "))
    // A proxy requires the absolute form (§3.2.2).
    if isForwarded {
      bytes += "http://".utf8
      appendAuthority(to: &bytes)
    }
    bytes += url.requestTarget.utf8
    bytes += version.utf8
    if http.headers["Host"] == nil {
      bytes += "Host: ".utf8
      appendAuthority(to: &bytes)
      bytes += "\r\n".utf8
    }
    if isForwarded, let proxy, let user = proxy.user {
      let login = HTTPCredentials.basic(user: user, password: proxy.password ?? Secret(""))
      login.fieldValue.withText { bytes += "Proxy-Authorization: \($0)\r\n".utf8 }
    }
    bytes += fields.lines
    let content = http.body ?? (http.method == "POST" || fields.isChunked ? [] : nil)
    guard let content else {
      bytes += "\r\n".utf8
      return bytes
    }
    if fields.isChunked {
      bytes += "\r\n\(String(content.count, radix: 16))\r\n".utf8
      return content.isEmpty ? bytes + "\r\n".utf8 : bytes + content + "\r\n0\r\n\r\n".utf8
    }
    if !fields.hasLength { bytes += "Content-Length: \(content.count)\r\n".utf8 }
    return bytes + "\r\n".utf8 + content
  }

  /// Appends the server's name as in the Host field (RFC 9110 §7.2): without the scheme's default port.
  private func appendAuthority(to bytes: inout [UInt8]) {
    bytes += url.host.bracketedHost.utf8
    if let port = url.explicitPort, port != url.scheme.defaultPort { bytes += ":\(port)".utf8 }
  }
}

/// The lines of the header fields that do not depend on the URL.
private struct RequestFields {
  let lines: [UInt8]
  /// Whether the caller's fields request chunked content (RFC 9112 §7.1).
  let isChunked: Bool
  /// Whether the caller's fields contain the length.
  let hasLength: Bool

  init(_ http: HTTPRequestOptions, requestsClose: Bool) {
    var text = http.headers["Accept"] == nil && !http.omits("Accept") ? "Accept: */*\r\n" : ""
    for field in http.sentFields(requestsClose: requestsClose) {
      text += field.value.isEmpty ? "\(field.name):\r\n" : "\(field.name): \(field.value)\r\n"
    }
    lines = Array(text.utf8)
    isChunked = http.headers["Transfer-Encoding"] != nil
    hasLength = http.headers["Content-Length"] != nil
  }

  /// The lines for the default options, which nearly every request has.
  static let ofDefaults = RequestFields(HTTPRequestOptions(), requestsClose: true)
}

extension HTTPRequestOptions {
  /// Checks that the framing fields match the content (RFC 9112 §6), because servers could interpret a
  /// mismatch differently.
  ///
  /// - Throws: ``InvalidInput`` naming the field.
  func checkFraming() throws(InvalidInput) {
    let codings = headers.values(for: "Transfer-Encoding")
    let lengths = headers.values(for: "Content-Length")
    if codings.isEmpty, lengths.isEmpty { return }
    guard codings.isEmpty || (codings.count == 1 && codings[0].lowercased() == "chunked") else {
      throw InvalidInput(
        "Transfer-Encoding: \(Excerpt(codings.joined(separator: ", "))) is not sent",
        remedy: "use chunked, or omit it"
      ).about("headers")
    }
    guard codings.isEmpty || lengths.isEmpty else {
      throw InvalidInput(
        "the request has both Content-Length and Transfer-Encoding", remedy: "omit one of them"
      ).about("headers")
    }
    let count = body?.count ?? 0
    guard lengths.allSatisfy({ $0 == "\(count)" }), lengths.count < 2 else {
      throw InvalidInput(
        "Content-Length: \(Excerpt(lengths.joined(separator: ", "))) is not the length of the content, \(count)",
        remedy: "leave it out"
      ).about("headers", "body")
    }
  }
}
