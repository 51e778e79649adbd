import FoundationEssentials
import ProbeCore

/// Reads exchanges from a HAR 1.2 file, the format in which browsers save network traffic.
///
/// The format contains fields and decoded content, not bytes: the responses are rebuilt.
struct HARReader {
  private var losses = ImportLosses()
  private var mistakes: [InvalidInput] = []

  private init() {}

  /// Reads the bytes of a file.
  ///
  /// An entry that cannot be used is left out, and is one of the losses.
  ///
  /// - Throws: ``InvalidImport`` if the bytes are not HAR, or if no entry can be used; it then has the errors of all.
  static func read(_ bytes: ArraySlice<UInt8>) throws(InvalidImport) -> ImportedCapture {
    let document: HARDocument
    do throws(InvalidInput) {
      document = try HARDocument.read(bytes)
    } catch {
      throw InvalidImport(error)
    }
    var reader = HARReader()
    return try reader.capture(of: document.log)
  }

  private mutating func capture(of log: HARDocument.Log) throws(InvalidImport) -> ImportedCapture {
    losses.add(.heads)
    losses.add(.sent)
    losses.add(.ending)
    var entries: [(start: Date, exchange: RecordedExchange)] = []
    var start = Date.distantPast
    for (index, attempt) in log.entries.enumerated() {
      do throws(InvalidInput) {
        let entry = try attempt.result.get()
        // An entry without a time follows the one before it.
        start = entry.startedDateTime.flatMap(Self.moment) ?? start
        if let exchange = try exchange(of: entry) { entries.append((start, exchange)) }
      } catch {
        losses.add(.unusable, at: "entry \(index + 1) (\(error.withoutQuotations))")
        mistakes.append(error.located(at: "entry \(index + 1)"))
      }
    }
    guard !entries.isEmpty else {
      guard mistakes.isEmpty else { throw InvalidImport(mistakes) }
      throw InvalidImport(
        InvalidInput(
          "the file contains no exchange over http or https",
          remedy: "reload the page while recording, and save all requests as HAR"))
    }
    // Entries with equal times stay in the order of the file.
    let sorted = entries.enumerated().sorted {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }
    let exchanges = sorted.map(\.element.exchange)
    if exchanges.contains(where: { $0.url.scheme == .https }) { losses.add(.tls) }
    return ImportedCapture(exchanges: exchanges, losses: losses.texts, origin: Self.origin(of: log))
  }

  /// The exchange of an entry, or nil if it did not use the network.
  private mutating func exchange(of entry: HARDocument.Entry) throws(InvalidInput) -> RecordedExchange? {
    let method = entry.request.method
    if method == "CONNECT" {
      losses.add(.tunnel)
      return nil
    }
    guard let url = try losses.url(entry.request.url, at: "request.url") else { return nil }
    guard !method.isEmpty, method.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw InvalidInput("request.method is \(Excerpt(method)), not a request method")
    }
    if entry._fromCache != nil {
      losses.add(.cached, of: url)
      return nil
    }
    if HARFailure.hasOtherNotes(entry) { losses.add(.failureNote, of: url) }
    var exchange = RecordedExchange(url: url, method: method, timings: Self.timings(of: entry))
    exchange.remoteAddress = Self.address(of: entry, url)
    if let response = try HARResponse(entry.response, to: method, from: url, &losses) {
      exchange.wire = WireRecord(received: response.bytes, ending: response.ending)
      return exchange
    }
    guard let failure = HARFailure(entry) else {
      noteSkipped(entry, url)
      return nil
    }
    exchange.failure = RecordedExchange.Failure(failure.reason, failure.detail)
    return exchange
  }

  /// Adds the loss of an entry that has neither a response from the network nor a failure.
  private mutating func noteSkipped(_ entry: HARDocument.Entry, _ url: ProbeURL) {
    losses.add(entry.response.status.code > 0 ? .madeUp : .cancelled, of: url)
  }
}

extension HARReader {
  /// The program that recorded it, such as `HAR 1.2 by Firefox 128.0`.
  private static func origin(of log: HARDocument.Log) -> String {
    let browser = log.browser?.value
    let program = browser?.name == nil ? log.creator?.value : browser
    let words = [program?.name, program?.version].compactMap(\.self).filter { !$0.isEmpty }
    let version = "HAR \(log.version?.value ?? "1.2")"
    let text = words.isEmpty ? version : "\(version) by \(words.joined(separator: " "))"
    return String(text.escapedForDisplay.prefix(120))
  }

  /// Parses an ISO 8601 time, with or without fractions of a second.
  private static func moment(_ text: String) -> Date? {
    (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      ?? (try? Date.ISO8601FormatStyle().parse(text))
  }

  private static func address(of entry: HARDocument.Entry, _ url: ProbeURL) -> SocketAddress? {
    let text = entry.serverIPAddress?.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }
    let port = entry._serverPort?.value.flatMap(UInt16.init(exactly:)) ?? url.port
    guard let text, let address = IPAddress(text), let port else { return nil }
    return SocketAddress(address, port: port)
  }

  /// The timings without overlaps; in the format the time of connecting includes that of TLS.
  private static func timings(of entry: HARDocument.Entry) -> ProbeTimings {
    let timings = entry.timings
    let tls = duration(timings?.ssl?.value)
    let connect = duration(timings?.connect?.value)
    return ProbeTimings(
      resolve: duration(timings?.dns?.value),
      connect: connect.map { $0 > tls ?? .zero ? $0 - (tls ?? .zero) : $0 },
      tls: tls, firstByte: duration(timings?.wait?.value), total: duration(entry.time?.value))
  }

  /// Converts milliseconds; nil for a phase that did not happen.
  private static func duration(_ milliseconds: Double?) -> Duration? {
    guard let milliseconds, milliseconds > 0, milliseconds < 1e9 else { return nil }
    return .microseconds(Int(bounding: (milliseconds * 1000).rounded()))
  }
}
