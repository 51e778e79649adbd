package import Curl
package import ProbeCore

extension TransferOptions {
  /// What libcurl needs to know to connect.
  package init(_ request: ProbeRequest) {
    self.init(url: request.url.string, timeout: request.timeout)
    connectTimeout = request.connectTimeout
    family = request.family.map(Family.init)
    connectTo = request.connectToRule?.curlForm
  }
}

extension TransferOptions.Family {
  /// The family by libcurl's name.
  package init(_ family: IPFamily) {
    switch family {
    case .v4: self = .v4
    case .v6: self = .v6
    }
  }
}

extension TransferOptions.HTTP {
  init(_ request: ProbeRequest) {
    let http = request.http
    var headers = http.headers.map { field in
      // libcurl takes `Name:` as "leave this field out" and `Name;` as "send it empty".
      field.value.allSatisfy(\.isWhitespace) ? "\(field.name);" : "\(field.name): \(field.value)"
    }
    if http.headers["User-Agent"] == nil { headers.append("User-Agent: \(http.userAgent)") }
    // libcurl would make this line itself, at twice the cost.
    if http.headers["Accept-Encoding"] == nil { headers.append("Accept-Encoding: gzip, deflate") }
    self.init(
      method: http.method, headers: headers, body: http.body, maxHead: request.maxHead,
      maxBody: request.maxBody)
  }
}

extension ConnectTo {
  fileprivate var curlForm: String {
    let host = targetHost.map { $0.contains(":") ? "[\($0)]" : $0 } ?? ""
    return "::\(host):\(targetPort.map(String.init) ?? "")"
  }
}

extension ProbeRequest {
  /// The rule that leads this request elsewhere.
  var connectToRule: ConnectTo? {
    connectTo.first { $0.applies(to: url) }
  }

  /// The host whose name is looked up, or nil when an address is connected to straight away.
  package var hostToResolve: String? {
    let host = connectToRule?.targetHost ?? url.host
    return IPAddress(host) == nil ? host : nil
  }

  /// Refuses limits and families that cannot work.
  ///
  /// - Throws: ``InvalidInput`` naming the option.
  package func checkForConnecting() throws(InvalidInput) {
    guard timeout > .zero else {
      throw InvalidInput("the timeout is not positive", remedy: "give one such as 5s")
    }
    if let connectTimeout, connectTimeout <= .zero {
      throw InvalidInput("the connect timeout is not positive", remedy: "give one such as 2s, or none")
    }
    guard maxBody >= 0, maxHead > 0 else {
      throw InvalidInput("a size limit is negative", remedy: "give sizes such as 64KiB")
    }
    let target = connectToRule?.targetHost ?? url.host
    if let family, let address = IPAddress(target), address.family != family {
      throw InvalidInput(
        "\(address) is not an IP\(family) address", remedy: "ask for the other family, or for any")
    }
  }
}

extension HTTPRequestOptions {
  func check() throws(InvalidInput) {
    guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenCharacter) else {
      throw InvalidInput("\(Excerpt(method)) is not a request method", remedy: "use one such as GET or HEAD")
    }
    guard userAgent.utf8.allSatisfy(\.isFieldCharacter) else {
      throw InvalidInput(
        "the user agent contains a control character", remedy: "use visible characters and spaces")
    }
    for field in headers {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isTokenCharacter) else {
        throw InvalidInput(
          "\(Excerpt(field.name)) is not a header field name", remedy: "write it as in Accept")
      }
      // The raw bytes: as text, a line break with a space behind it would read as a folded value.
      guard headers.rawValues(for: field.name).allSatisfy({ $0.allSatisfy(\.isFieldCharacter) }) else {
        throw InvalidInput(
          "the header field \(field.name) contains a control character",
          remedy: "use visible characters and spaces")
      }
    }
  }
}

extension UInt8 {
  /// RFC 9110 §5.6.2.
  fileprivate var isTokenCharacter: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }

  /// RFC 9110 §5.5, bytes above ASCII included.
  fileprivate var isFieldCharacter: Bool {
    self == UInt8(ascii: "\t") || (self >= 0x20 && self != 0x7F)
  }
}
