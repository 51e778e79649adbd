import FixtureReplay
import ProbeCore

/// Reads exchanges from a web archive: a WARC file (ISO 28500), or an ARC file, which is older.
///
/// Both contain responses as received, so they are imported byte for byte.
struct ArchiveFile {
  private var reader: any ArchiveRecords
  private var losses = ImportLosses()
  private var mistakes: [InvalidInput] = []
  private var origin = ""

  init(_ reader: some ArchiveRecords) {
    self.reader = reader
  }

  /// Reads the file; of one that is cut or damaged, the records before the first that cannot be read.
  ///
  /// - Throws: ``InvalidImport`` with all errors in the file, if it has no exchange that can be used.
  consuming func read() throws(InvalidImport) -> ImportedCapture {
    var (records, end) = records()
    let requests = WARCRequests(records)
    var exchanges: [RecordedExchange] = []
    for index in records.indices where records[index].type == "response" {
      let record = records[index]
      // Its bytes are not there twice for longer than necessary.
      records[index].block = []
      do throws(InvalidInput) {
        if let exchange = try exchange(of: record, requests) { exchanges.append(exchange) }
      } catch {
        losses.add(.unusable, at: "\(record.location) (\(error.withoutQuotations))")
        mistakes.append(error.located(at: record.location))
      }
    }
    guard !exchanges.isEmpty else {
      guard mistakes.isEmpty, end.isEmpty else { throw InvalidImport(mistakes + end) }
      guard !records.contains(where: { $0.type == "response" && $0.isTooLong }) else {
        throw InvalidImport(
          InvalidInput(
            "all records of responses have more than \(FixtureLoader.maximumFileLength >> 20) MiB, the limit of a fixture"
          ))
      }
      throw InvalidImport(
        InvalidInput(
          "the file contains no response over http or https", remedy: "it needs records of type response"))
    }
    losses.add(.timings)
    losses.add(.ending)
    if exchanges.contains(where: { $0.url.scheme == .https }) { losses.add(.tls) }
    if exchanges.contains(where: { $0.remoteAddress == nil }) { losses.add(.addresses) }
    for mistake in end { losses.add(.end, at: mistake.withoutQuotations) }
    return ImportedCapture(exchanges: exchanges, losses: losses.texts, origin: origin)
  }

  /// The records of requests and responses; if a record cannot be read, those before it and the error.
  private mutating func records() -> ([ArchiveRecord], end: [InvalidInput]) {
    var records: [ArchiveRecord] = []
    var end: [InvalidInput] = []
    var size = 0
    do throws(InvalidInput) {
      while let record = try reader.next() {
        read(aside: record)
        let isKept = ["response", "request"].contains(record.type)
        // Fields take several times as much memory as their text, and the objects around them some more.
        size += (isKept ? record.block.count : 0) + 8 * record.headerLength + 1024
        guard size <= CaptureImport.maximumKeptLength else {
          throw InvalidInput(
            "\(record.location): the records up to this one are more than can be imported at a time",
            remedy: "split the file")
        }
        if isKept { records.append(record) }
      }
    } catch {
      end.append(error)
    }
    if let decodingError = reader.bytes.decodingError {
      end.append(InvalidInput(decodingError, remedy: "save it again, or split it"))
    }
    return (records, end)
  }

  /// Reads a record that does not contain a response.
  private mutating func read(aside record: ArchiveRecord) {
    if origin.isEmpty { origin = record.format }
    switch record.type {
    case _ where record.isTooLong:
      let target = record.value(of: "warc-target-uri") ?? ""
      losses.add(.longRecords, at: "\(Excerpt(target.prefix { $0 != "?" }.utf8))")
    case "response", "request", "metadata", "filedesc": break
    case "warcinfo":
      let lines = record.block.split { $0 == 0x0A || $0 == 0x0D }.map { String(decoding: $0, as: UTF8.self) }
      guard let line = lines.first(where: { $0.lowercased().hasPrefix("software:") }) else { return }
      let software = line.dropFirst(9).drop { $0 == " " }
      origin = "\(record.format) by \(String(software.prefix(100)).escapedForDisplay)"
    default:
      // Programs store their own logs as resources; they are no loss.
      let target = record.value(of: "warc-target-uri")?.drop { $0 == "<" }
      guard let target, target.hasPrefix("http") || record.type != "resource" else { return }
      losses.add(.records(record.type), at: "\(Excerpt(target.prefix { $0 != ">" && $0 != "?" }.utf8))")
    }
  }

  /// The exchange of a record's response, or nil if it was not made over HTTP.
  private mutating func exchange(
    of record: ArchiveRecord, _ requests: WARCRequests
  ) throws(InvalidInput) -> RecordedExchange? {
    if record.isTooLong { return nil }
    guard let target = record.value(of: "warc-target-uri") else {
      throw InvalidInput("WARC-Target-URI is missing")
    }
    // Some writers put the URL in angle brackets, as in the grammar of WARC 1.0.
    let text = target.hasPrefix("<") && target.hasSuffix(">") ? String(target.dropFirst().dropLast()) : target
    guard let url = try losses.url(text, at: "WARC-Target-URI") else { return nil }
    let request = requests.request(to: record)
    let method = request?.method ?? "GET"
    if request == nil { losses.add(.method, of: url) }
    let isCut = record.value(of: "warc-truncated") != nil || record.value(of: "warc-segment-number") != nil
    if isCut { losses.add(.bodyEnd, of: url) }
    var exchange = RecordedExchange(url: url, method: method)
    exchange.wire = try wire(of: record, to: method, at: url)
    exchange.wire?.sent = request?.bytes ?? []
    if let address = record.value(of: "warc-ip-address").flatMap({ IPAddress($0) }), let port = url.port {
      exchange.remoteAddress = SocketAddress(address, port: port)
    }
    return exchange
  }

  /// The received bytes, corrected where the recording program has changed them.
  private mutating func wire(
    of record: ArchiveRecord, to method: String, at url: ProbeURL
  ) throws(InvalidInput) -> WireRecord {
    guard var response = RecordedResponse(record.block[...]) else {
      // Some servers respond without a status line, and their clients have to handle that.
      let type = record.value(of: "content-type")?.lowercased() ?? ""
      guard type.hasPrefix("application/http") else {
        throw InvalidInput(
          "the response of \(Excerpt(url.string)) begins with \(Excerpt(record.block, limit: 30)), not with a status line"
        )
      }
      return WireRecord(received: record.block, ending: .finished)
    }
    for loss in response.fixUndoneCodings(to: method) { losses.add(loss, of: url) }
    for loss in response.useHTTP1(to: method) { losses.add(loss, of: url) }
    return WireRecord(received: response.bytes, ending: response.ending(to: method))
  }
}

/// The requests of a file, looked up by the records of their responses.
struct WARCRequests {
  /// A request as sent.
  struct Request {
    var bytes: [UInt8]

    /// The method, or nil if it does not begin with one.
    var method: String? {
      let word = bytes.prefix { $0 != 0x20 }
      guard !word.isEmpty, word.count < bytes.count, word.count <= 32,
        word.allSatisfy({ (0x21...0x7E).contains($0) })
      else { return nil }
      return String(decoding: word, as: UTF8.self)
    }
  }

  /// The requests by their own record IDs, and by those of the records they refer to as concurrent.
  private var requests: [String: Request] = [:]

  init(_ records: [ArchiveRecord]) {
    for record in records where record.type == "request" {
      let request = Request(bytes: record.block)
      guard request.method != nil else { continue }
      for name in record.values(of: "warc-record-id") + record.values(of: "warc-concurrent-to") {
        requests[name] = request
      }
    }
  }

  /// The request of a response; either of them may refer to the other.
  func request(to record: ArchiveRecord) -> Request? {
    let names = record.values(of: "warc-record-id") + record.values(of: "warc-concurrent-to")
    return names.compactMap { requests[$0] }.first
  }
}
