public import FixtureReplay
public import ProbeCore

/// Exchanges recorded by another program, and descriptions of the data that its format lacks.
public struct ImportedCapture: Sendable {
  /// The exchanges in the order in which they were made; received bytes are rebuilt if the format does not
  /// contain them.
  public var exchanges: [RecordedExchange]
  /// Descriptions of the data that the format lacks, such as `the reason phrase`.
  public var losses: [String]
  /// The source, such as `HAR 1.2 by Firefox 128`.
  public var origin: String

  package init(exchanges: [RecordedExchange], losses: [String], origin: String) {
    self.exchanges = exchanges
    self.losses = losses
    self.origin = origin
  }
}

/// The losses of a recording, each listed once with the URLs of the affected exchanges.
struct ImportLosses {
  /// The maximum number of locations that are named for a loss.
  private static let named = 3

  private struct Locations {
    private(set) var named: [String] = []
    private var all: Set<String> = []
    var count: Int { all.count }

    mutating func add(_ location: String) {
      if all.insert(location).inserted, named.count < ImportLosses.named { named.append(location) }
    }
  }

  private var losses: [ImportLoss] = []
  private var locations: [ImportLoss: Locations] = [:]

  /// Adds a loss of every exchange, or of one.
  mutating func add(_ loss: ImportLoss, of url: ProbeURL? = nil) {
    add(loss, at: url.map(Self.shown))
  }

  /// Adds a loss at a location that is not a URL.
  mutating func add(_ loss: ImportLoss, at location: String?) {
    if locations[loss] == nil {
      losses.append(loss)
      locations[loss] = Locations()
    }
    if let location { locations[loss]?.add(location) }
  }

  /// Parses the URL of an http or https exchange.
  ///
  /// - Parameters:
  ///   - text: The URL; a fragment is removed.
  ///   - location: The URL's name in the recording.
  /// - Returns: The URL, or nil for another scheme, which is recorded as a loss.
  /// - Throws: ``InvalidInput`` if it is not a URL.
  mutating func url(_ text: String, at location: String) throws(InvalidInput) -> ProbeURL? {
    let scheme = text.prefix { $0 != "#" && $0 != ":" }.lowercased()
    guard ["http", "https"].contains(scheme) else {
      add(.otherScheme, at: "\(Excerpt(scheme, limit: 30))")
      return nil
    }
    do throws(InvalidInput) {
      return try ProbeURL(String(text.prefix { $0 != "#" }))
    } catch {
      throw error.located(at: location)
    }
  }

  /// The descriptions of the losses, in the order in which they were first added.
  var texts: [String] {
    losses.map { loss in
      guard let locations = locations[loss], !locations.named.isEmpty else { return loss.text }
      let more = locations.count - locations.named.count
      return "\(loss.text): \(locations.named.joined(separator: ", "))\(more > 0 ? " and \(more) more" : "")"
    }
  }

  /// A URL without the content of its query, which may be private and is often long.
  private static func shown(_ url: ProbeURL) -> String {
    let text = url.string.prefix { $0 != "?" && $0 != "#" }
    return url.query == nil ? String(text) : text + "?…"
  }
}

/// Something that a recording does not contain, or contains in a form that differs from the wire.
struct ImportLoss: Hashable, Sendable {
  /// A description, such as `the reason phrase`.
  let text: String

  private init(_ text: String) {
    self.text = text
  }
}

extension ImportLoss {
  static let heads = ImportLoss(
    "white space and line ends in headers, lines that are not header fields, and interim responses")
  static let sent = ImportLoss("the bytes that were sent")
  static let method = ImportLoss("the request; GET is assumed as its method")
  static let tls = ImportLoss("the TLS version, cipher suite and certificates")
  static let ending = ImportLoss("how the connections ended")
  static let timings = ImportLoss("how long each phase took")
  static let addresses = ImportLoss("the addresses of the servers")

  static let version = ImportLoss("the HTTP version; HTTP/1.1 is written")
  static let chunks = ImportLoss("the chunks; a Content-Length replaces them")
  static let coding = ImportLoss("the content coding: the body is decoded, and Content-Encoding is omitted")
  static let length = ImportLoss("the announced length: Content-Length is the length of the recorded body")
  static let charset = ImportLoss("the charset of the body, which is converted to UTF-8")
  static let fieldBytes = ImportLoss("the non-ASCII bytes of header fields, which are converted to UTF-8")
  static let body = ImportLoss("the body, which is not in the recording")
  static let bodyEnd = ImportLoss("the end of the body, which is not in the recording")
  static let redirectBody = ImportLoss("the body of the redirect, which curl does not write")

  static let failureNote = ImportLoss("a browser's failure message that is not text")
  static let noFields = ImportLoss("header fields whose name or value is not valid in a response")
  static let end = ImportLoss("the end of the recording, which cannot be read")
  static let longRecords = ImportLoss(
    "records of more than \(FixtureLoader.maximumFileLength >> 20) MiB; skipped")
  static let unusable = ImportLoss("entries that cannot be used; skipped")

  static let cached = ImportLoss("responses from the browser's cache; skipped")
  static let madeUp = ImportLoss("responses that the browser made itself; skipped")
  static let cancelled = ImportLoss("requests that the browser cancelled or blocked; skipped")
  static let otherScheme = ImportLoss("URLs other than http and https; skipped")
  static let tunnel = ImportLoss("tunnels through a proxy; skipped")
  static let tries = ImportLoss(
    "requests for authentication before the last response; skipped")

  static func records(_ type: String) -> ImportLoss {
    ImportLoss("the records of type \(Excerpt(type)), which have no response of their own; skipped")
  }
}

/// All errors in a recording, each with its location.
public struct InvalidImport: InvalidInputs, Hashable {
  /// The maximum number of errors reported; further ones are mostly repetitions.
  static let limit = 20

  /// The errors; never empty.
  public let mistakes: [InvalidInput]

  init(_ mistakes: [InvalidInput]) {
    let more = mistakes.count - Self.limit
    self.mistakes =
      mistakes.prefix(Self.limit) + (more > 0 ? [InvalidInput("there are \(more) more errors")] : [])
  }

  init(_ mistake: InvalidInput) {
    self.init([mistake])
  }
}

extension InvalidImport: CustomStringConvertible {
  /// The errors, one per line.
  public var description: String {
    mistakes.map(\.descriptionWithOffset).joined(separator: "\n")
  }
}

extension InvalidInput {
  /// The same error with the location in front of its message.
  func located(at location: String) -> InvalidInput { with(\.message, "\(location): \(message)") }

  /// The error on one line, without the text it quotes.
  ///
  /// That text may be private, and redaction learns nothing from an entry that cannot be used.
  var withoutQuotations: String {
    guard let start = description.firstIndex(of: "\""), let end = description.lastIndex(of: "\""), start < end
    else { return description }
    return description[...start] + "…" + description[end...]
  }
}

extension ImportedCapture {
  /// Keeps the exchanges that a fixture is to contain and can contain, and adds what is left out to ``losses``.
  ///
  /// A browser records a long session in one file, and a fixture is bounded: exchanges are kept in their order until
  /// one more would exceed a limit.
  ///
  /// - Parameters:
  ///   - hosts: Patterns, one of which matches the host of an exchange; empty for all hosts.
  ///   - maximum: The maximum number of different requests; nil for as many as a fixture can have.
  /// - Throws: `InvalidInput` if no exchange is left.
  public mutating func keep(hosts: [Glob], atMost maximum: Int? = nil) throws(InvalidInput) {
    let all = exchanges
    if !hosts.isEmpty {
      exchanges = exchanges.filter { exchange in hosts.contains { $0.matches(exchange.url.host.utf8) } }
      guard !exchanges.isEmpty else {
        let known = Set(all.map(\.url.host)).sorted()
        let more = known.count > 5 ? " and \(known.count - 5) more" : ""
        throw InvalidInput(
          "the recording has no request to these hosts",
          remedy: "its hosts are \(known.prefix(5).joined(separator: ", "))\(more)")
      }
      if exchanges.count < all.count {
        losses.append(
          "\(all.count - exchanges.count) of \(all.count) exchanges, which are with other hosts; skipped")
      }
    }
    let fileLimit = FixtureLoader.maximumFileLength
    let large = exchanges.filter { $0.size > fileLimit }
    if let first = large.first {
      exchanges.removeAll { $0.size > fileLimit }
      let more = large.count > 1 ? " and \(large.count - 1) more" : ""
      losses.append(
        "responses of more than \(fileLimit >> 20) MiB; skipped: \(first.url.string.prefix { $0 != "?" })\(more)"
      )
      guard !exchanges.isEmpty else {
        throw InvalidInput("all responses have more than \(fileLimit >> 20) MiB, the limit of a fixture")
      }
    }
    let count = countThatFits(min(maximum ?? .max, FixtureLoader.maximumRouteCount))
    guard count < exchanges.count else { return }
    losses.append(
      "the last \(exchanges.count - count) of \(exchanges.count) exchanges; skipped, because "
        + (maximum.map { $0 < FixtureLoader.maximumRouteCount } == true
          ? "\(maximum ?? 0) different requests are wanted"
          : "a fixture has at most \(FixtureLoader.maximumRouteCount) different requests and "
            + "\(FixtureLoader.maximumTotalLength >> 20) MiB"))
    exchanges.removeLast(exchanges.count - count)
  }

  /// The number of exchanges at the start that are within the limits.
  private func countThatFits(_ routeLimit: Int) -> Int {
    var size = 0
    // What else is in the folder has a few bytes for each exchange.
    let bySize = exchanges.firstIndex { exchange in
      size += exchange.size + 1024
      return size > FixtureLoader.maximumTotalLength
    }
    // The number of routes grows with that of the exchanges.
    var (fitting, tooMany) = (0, (bySize ?? exchanges.count) + 1)
    while tooMany - fitting > 1 {
      let middle = (fitting + tooMany) / 2
      if CapturedNetwork(Array(exchanges.prefix(middle))).routes.count <= routeLimit {
        fitting = middle
      } else {
        tooMany = middle
      }
    }
    return max(1, fitting)
  }
}

extension RecordedExchange {
  /// The number of bytes of its response.
  fileprivate var size: Int { wire?.received.count ?? 0 }
}
