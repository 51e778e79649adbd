internal import ProbeCore
internal import ProbeText
internal import ProbeStreams

extension DNSQuery {
  /// The question of a request (RFC 4501).
  ///
  /// - Throws: `InvalidInput` naming the part of the URL.
  init(_ request: ProbeRequest) throws(InvalidInput) {
    let url = request.url
    let elements = try QuestionElements(of: url)
    let text = try Self.nameText(of: url, elements.type)
    do throws(LDNSError) {
      try self.init(name: text, type: elements.type, recordClass: elements.recordClass)
    } catch {
      throw InvalidInput(
        "\(Excerpt(text)) is not a DNS name: \(error.words)",
        remedy: "write it as in \(Self.example(of: url))")
    }
    let options = request.dnsQuery
    recursion = options.recursion
    dnssec = options.dnssec
  }

  private static func nameText(of url: ProbeURL, _ type: RecordType) throws(InvalidInput) -> String {
    let bytes = url.path.utf8.dropFirst().percentDecoded()
    guard !bytes.isEmpty else {
      throw InvalidInput("a \(url.scheme) URL needs a name", remedy: "write it as \(example(of: url))")
    }
    guard let name = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw InvalidInput(
        "the name in the \(url.scheme) URL is not valid UTF-8",
        remedy: "write other bytes as %5CDDD, with three digits"
      )
    }
    if let address = IPAddress(name), type == RecordType("PTR") {
      do throws(LDNSError) { return try reverseName(of: address) } catch {
        throw InvalidInput("\(name) has no reverse name: \(error.words)")
      }
    }
    guard bytes.contains(where: { $0 >= 0x80 }) else { return name }
    do throws(DomainNameError) {
      return try DomainName.ascii(name)
    } catch {
      throw InvalidInput("the name \(Excerpt(name)) \(error)", remedy: "write it in ASCII")
    }
  }

  private static func example(of url: ProbeURL) -> String {
    "\(url.scheme)://\(url.host.bracketedHost)/example.com?type=A"
  }
}

/// The elements of the query of a dns URL: `type=A;class=IN` (RFC 4501 §3), and over HTTPS also `path=/dns-query`; `&` is
/// also a separator.
struct QuestionElements {
  var type: RecordType
  var recordClass = RecordClass.internet
  /// The path of a server over HTTPS; nil if the URL has none.
  var path: String?

  init(of url: ProbeURL) throws(InvalidInput) {
    let takesPath = url.scheme == .dnsHTTPS
    guard let a = RecordType("A") else { throw InvalidInput("libldns does not know the type A") }
    type = a
    var seen: Set<String> = []
    for element in (url.query ?? "").split(whereSeparator: { $0 == ";" || $0 == "&" }) {
      let parts = element.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let key = parts[0].lowercased()
      let value = parts.count == 2 ? String(parts[1]) : ""
      guard key == "type" || key == "class" || takesPath && key == "path", parts.count == 2 else {
        throw InvalidInput(
          "the query of a \(url.scheme) URL has \(Excerpt(String(element)))",
          remedy: "use type=A;class=IN" + (takesPath ? ";path=/dns-query" : ""))
      }
      guard seen.insert(key).inserted else {
        throw InvalidInput(
          "a \(url.scheme) URL has more than one \(key)", remedy: "probe each with a URL of its own")
      }
      if key == "path" {
        path = value
      } else if key == "type" {
        type = try Self.type(value)
      } else if let known = RecordClass(value) {
        recordClass = known
      } else {
        throw InvalidInput("\(Excerpt(value)) is not a class of DNS", remedy: "use IN, CH or HS")
      }
    }
  }

  private static func type(_ name: String) throws(InvalidInput) -> RecordType {
    guard let type = RecordType(name) else {
      throw InvalidInput(
        "\(Excerpt(name)) is not a DNS record type", remedy: "use one such as A, AAAA, MX, TXT or TYPE65")
    }
    guard !type.isTransfer else {
      throw InvalidInput("a dns probe does not transfer zones", remedy: "use another type, such as SOA")
    }
    return type
  }
}
