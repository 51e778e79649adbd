import ProbeCore

/// A user's validator, whose options use many features of `Codable`: a short form, nested containers, a
/// superclass's decoder, a list of mixed items.
struct ChecksumValidator: ConfigurableValidator {
  struct Options: Hashable, Sendable {
    var digest: String
    var kind = Kind.strong
    var from = 0
    var length: Int?
    var salts: [String] = []
    var grace: Duration = .zero
    var strictness = Strictness()
  }

  enum Kind: String, Codable, CaseIterable, SchemaProviding {
    case strong, weak
  }

  static let name = "checksum"

  let options: Options

  init(options: Options) throws {
    guard options.digest.utf8.count.isMultiple(of: 2) else {
      throw InvalidInput(
        "the digest \(Excerpt(options.digest)) has half a byte", remedy: "give two digits a byte"
      ).at("digest")
    }
    self.options = options
  }

  func validate(_ response: ProbeResponse) -> Validation {
    let sum = response.body.reduce(UInt8(0)) { $0 &+ $1 }
    let digits = String(sum, radix: 16)
    return digits == options.digest
      ? .accepted : .rejected(.bodyMismatch, expected: "the checksum \(options.digest)", found: digits)
  }
}

/// A text, or a list of texts.
private struct Salts: Decodable, SchemaProviding {
  static let schema = ValueSchema.anyOf([.text, .list(of: .text)])

  var texts: [String] = []

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      texts = [text]
      return
    }
    var list = try decoder.unkeyedContainer()
    while !list.isAtEnd { texts.append(try list.decode(String.self)) }
  }
}

/// A value that is decoded like a superclass.
struct Strictness: Hashable, Sendable, Codable {
  var strict = false
}

extension ChecksumValidator.Options: SchemaProviding {
  static let schema = ValueSchema.anyOf([
    .text,
    .mapping([
      .key("digest", .text, required: true), .key("kind", ChecksumValidator.Kind.schema),
      .key("grace", .duration),
      .key("window", .mapping([.key("from", .integer(), required: true), .key("length", .integer())])),
      .key("salts", [Salts].schema), .key("strict", .boolean),
    ]),
  ])
}

extension ChecksumValidator.Options: Codable {
  private enum Key: CodingKey {
    case digest, kind, window, salts, grace, strict
  }

  private enum WindowKey: CodingKey {
    case from, length
  }

  init(from decoder: any Decoder) throws {
    if let digest = try? decoder.singleValueContainer().decode(String.self) {
      self.init(digest: digest)
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    self.init(digest: try container.decode(String.self, forKey: .digest))
    kind = try container.decodeIfPresent(ChecksumValidator.Kind.self, forKey: .kind) ?? kind
    grace = try container.decodeIfPresent(Duration.self, forKey: .grace) ?? grace
    if container.contains(.window) {
      let window = try container.nestedContainer(keyedBy: WindowKey.self, forKey: .window)
      from = try window.decode(Int.self, forKey: .from)
      length = try window.decodeIfPresent(Int.self, forKey: .length)
    }
    if container.contains(.salts) {
      var list = try container.nestedUnkeyedContainer(forKey: .salts)
      while !list.isAtEnd { salts += try list.decode(Salts.self).texts }
    }
    if container.contains(.strict) {
      strictness.strict = try Bool(from: try container.superDecoder(forKey: .strict))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(digest)
  }
}

/// Wraps a transport in tests, so that the files a request names need not exist.
struct WithoutFiles: ProbeTransport {
  let inner: any ProbeTransport

  var schemes: [URLScheme: Encryption] { inner.schemes }
  func check(_ request: ProbeRequest) throws(InvalidInput) { try inner.check(request) }
  func requestKeys(for scheme: URLScheme) -> [RequestKey] { inner.requestKeys(for: scheme) }
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try await inner.probe(request) }
}

/// A user's transport with its own scheme and request key.
struct LampTransport: ProbeTransport {
  let schemes: [URLScheme: Encryption] = [URLScheme("lamp"): .encrypted]

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { RequestKey.common + [.greeting] }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    ProbeResponse(url: request.url, head: nil, body: Array((request[Greeting.self]?.text ?? "").utf8))
  }
}

/// The message to a lamp: `greeting: hello`, or `greeting: { text: hello, times: 2 }`.
struct Greeting: Hashable, Sendable, Decodable, SchemaProviding {
  static let schema = ValueSchema.anyOf([
    .text, .mapping([.key("text", .text, required: true), .key("times", .integer())]),
  ])

  var text: String
  var times = 1

  private enum Key: CodingKey {
    case text, times
  }

  init(_ text: String, times: Int = 1) {
    self.text = text
    self.times = times
  }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(text)
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      try container.decode(String.self, forKey: .text),
      times: try container.decodeIfPresent(Int.self, forKey: .times) ?? 1)
  }
}

extension RequestKey {
  static let greeting = RequestKey("greeting", Greeting.self, summary: "what to say first") { greeting in
    guard (1...9).contains(greeting.times) else {
      throw InvalidInput("a lamp listens nine times", remedy: "use one from 1 to 9").at("times")
    }
    return RequestSetting { request, _ in request[Greeting.self] = greeting }
  }
}
