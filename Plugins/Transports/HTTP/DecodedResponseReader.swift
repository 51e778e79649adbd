internal import ProbeHTTPWire
internal import ProbeCore

/// Parses one response as its bytes are received: its head, its decoded body, and its end; no I/O.
struct DecodedResponseReader {
  /// The maximum number of bytes of an encoded body, in addition to two for each byte of the limit.
  private static let maximumOverhead = 64 * 1024

  private let maxHead: Int
  private let maxBody: Int
  private let furtherReading: (any FurtherReading)?
  private let keeping: (any BodyKeeping)?
  private let undoesCodings: Bool
  /// Whether what browsers accept is accepted, even if it may be incomplete.
  private let isAsBrowsers: Bool
  private let acceptsIncompleteHead: Bool
  private let acceptsHTTP09: Bool
  /// Whether a response without a status line is received to its end as evidence, although it is an error.
  private let keepsHTTP09: Bool
  private var reader: ResponseReader
  /// Whether the response is HTTP/0.9: everything received is content.
  private var isBare = false
  /// Whether Content-Length states more bytes than any number here can, so that no body is complete.
  private var hasExcessiveLength = false
  /// The beginning of an incomplete head.
  private var unread: [UInt8] = []
  /// The number of bytes of the heads so far.
  private var headBytes = 0
  /// The number of content bytes so far, before decoding, and their maximum.
  private var contentBytes = 0
  private var maximumContent: Int { Self.maximumOverhead.addingClamped(allowed).addingClamped(allowed) }
  /// The number of bytes of the body to keep for now, and its maximum.
  private var allowed: Int
  private let maximumBody: Int
  private var decoder: ContentDecoder?
  /// The beginning of an encoded body, until part of it has been decoded.
  private var coded: [UInt8] = []
  /// The reason why the body is not in the coding that its field states; the rest of the body is then left as
  /// received.
  private var mislabelling: ResponseError?

  /// The last interim head, and the leniencies in all heads so far.
  private var interim: HTTPResponseHead?
  private var leniencies: Leniencies = []

  /// The head of the response, once it is complete.
  private(set) var head: HTTPResponseHead?
  /// The decoded body so far; never more than its limit.
  private(set) var body: [UInt8] = []
  /// The data received after a head whose lengths contradict each other.
  private(set) var evidence: [UInt8] = []
  /// Whether the body is longer than its limit.
  private(set) var bodyIsCut = false
  /// The response up to the limit of the request, if further bytes of its body are requested.
  private(set) var responseAtLimit: ProbeResponse?
  private var hasRequestedMore = false
  /// The violations of HTTP in the response that were accepted.
  private(set) var deviations: [Deviation] = []

  init(to request: ProbeRequest) {
    maxHead = request.maxHead
    maxBody = request.maxBody
    allowed = maxBody
    furtherReading = request.furtherReading
    maximumBody = max(maxBody, request.furtherReading?.maximumBytes ?? 0)
    keeping = request.bodyKeeping
    undoesCodings = !request.http.contentCodings.isEmpty && keeping?.keepsBytes != false
    isAsBrowsers = request.http.acceptsIncompleteHeads
    acceptsIncompleteHead = request.http.acceptsIncompleteHeads && request.url.scheme == .http
    // Browsers accept HTTP/0.9 only here, because scripts could otherwise read the responses of other
    // protocols.
    acceptsHTTP09 = acceptsIncompleteHead && request.url.port == 80
    keepsHTTP09 = request.url.scheme == .http && request.url.port == 80 && request.bodyKeeping == nil
    reader = ResponseReader(isHEADRequest: request.http.method == "HEAD")
  }

  /// Parses the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - connection: The facts of the connection; nil if the body must end at its limit.
  /// - Returns: Whether no further data is needed: the response is complete, or its body is longer than its
  ///   limit.
  /// - Throws: ``ResponseError`` if it is not a valid response.
  mutating func take(
    _ bytes: [UInt8], on connection: borrowing ProbeResponse? = nil
  ) throws(ResponseError) -> Bool {
    if isBare { return try takeMoreBare(bytes.span, connection) }
    let scanned = unread.count
    var wire: [UInt8] = []
    if scanned == 0 {
      wire = bytes
    } else {
      swap(&wire, &unread)
      wire += bytes
    }
    var offset = 0
    while true {
      let start = offset
      let event: ResponseReader.Event
      do throws(HTTPMessageError) {
        event = try reader.next(wire.span, scanned: scanned, &offset)
      } catch {
        // Report the first error.
        guard head == nil else { throw mislabelling ?? .badChunks(error.reason) }
        if mayBeBare, error == .noStatusLine { return try takeBare(wire, connection) }
        // Keep any readable part as evidence.
        unread = Array(wire[start...])
        if error == .differentLengths, let end = HeadLines.end(in: unread.span, from: 0) {
          evidence = Array(unread[end...].prefix(maxBody))
        }
        throw .noHTTP(error.reason)
      }
      switch event {
      case .interim(let parts, let range):
        try countHead(offset - start)
        interim = HTTPResponseHead(parts, of: Array(wire[range]))
        leniencies.formUnion(parts.leniencies)
      case .head(let parts, let range):
        let bytes = Array(wire[range])
        unread = bytes
        try countHead(offset - start)
        unread = []
        takeHead(parts, bytes)
      case .content(let range):
        if try takeContent(wire.span.extracting(range), connection) { return true }
      case .end:
        try endContent()
        return true
      case .needsMore:
        guard head == nil else { return false }
        unread = offset == 0 ? wire : Array(wire[offset...])
        guard headBytes + unread.count <= maxHead else { throw .headTooLarge }
        return false
      }
    }
  }

  /// Handles the end of the connection after the bytes parsed so far.
  ///
  /// - Parameter wasNotified: Whether TLS sent a close_notify (RFC 8446 §6.1); true without TLS.
  /// - Throws: ``ResponseError`` if the response is incomplete.
  mutating func end(wasNotified: Bool) throws(ResponseError) {
    if head == nil { try endHead() }
    if let mislabelling { throw mislabelling }
    if hasExcessiveLength { throw .short("fewer bytes than announced") }
    if !isBare, let missing = reader.missing { throw .short(missing) }
    // An attacker on the path can cut the body anywhere (RFC 9112 §9.8).
    guard wasNotified else { throw .noCloseNotify }
    try endContent()
  }

  /// The error of a response that has content and no status line; nil for any other.
  var bareError: ResponseError? {
    isBare && !acceptsHTTP09 ? .noHTTP(HTTPMessageError.noStatusLine.reason) : nil
  }

  /// The head so far, without an incomplete line, because half a Location is a different URL, and up to a line with a
  /// NUL, for which browsers and libcurl refuse the response.
  var headSoFar: HTTPResponseHead? {
    if let head { return head }
    let lines = unread.prefix(maxHead).prefix { $0 != 0 }
    guard let end = lines.lastIndex(of: UInt8(ascii: "\n")) else { return interim }
    return HTTPResponseHead(wireBytes: Array(lines[...end])) ?? interim
  }
}

extension DecodedResponseReader {
  /// Handles the end of the connection before a head was complete.
  private mutating func endHead() throws(ResponseError) {
    if acceptsIncompleteHead, !unread.isEmpty, try takeIncompleteHead() { return }
    takeUnreadText()
    if let bareError { throw bareError }
    guard unread.contains(UInt8(ascii: "\n")) else { throw .noResponse }
    throw lacksStatusLine ? .noHTTP(HTTPMessageError.noStatusLine.reason) : .headCut
  }

  /// Treats the bytes so far as an HTTP/0.9 response if no more of them arrive, and they are not the beginning of a
  /// status line.
  mutating func takeUnreadText() {
    guard mayBeBare, head == nil, !unread.isEmpty, !StatusLine.mayBegin(with: unread.span), lacksStatusLine
    else { return }
    // What is wrong with it is known: ``bareError``.
    _ = try? takeBare(unread, nil)
  }

  /// Whether no status line begins where one must, in the bytes so far.
  private var lacksStatusLine: Bool {
    var (trial, offset) = (reader, 0)
    do throws(HTTPMessageError) {
      _ = try trial.next(unread.span, &offset, isEnded: true)
      return false
    } catch {
      return error == .noStatusLine
    }
  }

  /// Parses a partially received head.
  ///
  /// - Returns: Whether it is a response.
  private mutating func takeIncompleteHead() throws(ResponseError) -> Bool {
    var offset = 0
    let received = unread
    do throws(HTTPMessageError) {
      let event = try reader.next(received.span, &offset, isEnded: true)
      guard case .head(let parts, let range) = event else { return false }
      // A status line that is truncated before its status is useless.
      guard received.contains(UInt8(ascii: "\n")) || !parts.leniencies.contains(.noStatus) else {
        return false
      }
      unread = []
      takeHead(parts, Array(received[range]))
      deviations.append(.cutHead)
      return true
    } catch {
      guard acceptsHTTP09, error == .noStatusLine, interim == nil else { return false }
      _ = try takeBare(received, nil)
      return true
    }
  }

  /// Whether a response without a status line can be one of HTTP/0.9.
  private var mayBeBare: Bool { (acceptsHTTP09 || keepsHTTP09) && interim == nil }

  /// Treats all data received so far as the start of an HTTP/0.9 response.
  private mutating func takeBare(
    _ bytes: [UInt8], _ connection: borrowing ProbeResponse?
  ) throws(ResponseError) -> Bool {
    isBare = true
    unread = []
    if acceptsHTTP09 {
      head = HTTPResponseHead(version: "0.9", status: 200)
      deviations = [.http09]
    }
    return try takeMoreBare(bytes.span, connection)
  }

  /// Receives a piece of an HTTP/0.9 response.
  ///
  /// - Throws: The error that it is, unless it is accepted, once nothing more of it is needed: it is longer than the
  ///   limit, or not a text. Only a text is evidence; other bytes may be any protocol, or noise.
  private mutating func takeMoreBare(
    _ bytes: Span<UInt8>, _ connection: borrowing ProbeResponse?
  ) throws(ResponseError) -> Bool {
    guard let bareError else { return try takeContent(bytes, connection) }
    let count = min(bytes.count, maxBody - evidence.count)
    let isUTF16 = evidence.isEmpty ? bytes.hasUTF16Mark : evidence.span.hasUTF16Mark
    guard isUTF16 || !bytes.extracting(0..<count).hasBinaryData else {
      (evidence, deviations) = ([], [])
      throw bareError
    }
    evidence.append(contentsOf: bytes, upTo: maxBody)
    deviations = [.http09]
    guard count == bytes.count else {
      bodyIsCut = true
      throw bareError
    }
    return false
  }

  private mutating func countHead(_ count: Int) throws(ResponseError) {
    headBytes += count
    guard headBytes <= maxHead else { throw .headTooLarge }
  }

  private mutating func takeHead(_ parts: WireResponseHead, _ bytes: [UInt8]) {
    let head = HTTPResponseHead(parts, of: bytes)
    self.head = head
    deviations = Deviation.of(leniencies.union(parts.leniencies))
    if head.isRedirect, Set(head.fields.values(for: "Location")).count > 1 {
      deviations.append(.differentLocations)
    }
    hasExcessiveLength = parts.framing == .close && !isAsBrowsers && head.fields.hasNumericLength
    guard undoesCodings, parts.framing != .none else { return }
    let codings = head.fields.contentCodings
    if !codings.isEmpty {
      decoder = ContentDecoder(codings, limit: maximumBody, isAsBrowsers: isAsBrowsers)
    }
  }

  /// Decodes a piece of content.
  ///
  /// - Returns: Whether the body is longer than its limit.
  private mutating func takeContent(
    _ bytes: Span<UInt8>, _ connection: borrowing ProbeResponse?
  ) throws(ResponseError) -> Bool {
    contentBytes += bytes.count
    keeping?.received(min(bytes.count, max(0, maxBody - contentBytes + bytes.count)))
    guard decoder != nil else {
      keep(bytes, connection)
      return try endIfCut()
    }
    do throws(ContentDecoder.CodingError) {
      if body.isEmpty { coded.append(contentsOf: bytes, upTo: maxBody) }
      bodyIsCut = try decoder?.take(bytes, into: &body) == .limitReached
      limitBody(connection)
    } catch {
      limitBody(connection)
      guard !bodyIsCut else { return try endIfCut() }
      // A page that is not encoded at all is left as received, so that it can be displayed.
      guard body.isEmpty else { throw .badCoding(error.description) }
      mislabelling = .badCoding(error.description)
      decoder = nil
      body = coded
      coded = []
      bodyIsCut = contentBytes > maxBody
    }
    if !body.isEmpty { coded = [] }
    // The encoded data is much larger than what it decodes to.
    if contentBytes > maximumContent { bodyIsCut = true }
    return try endIfCut()
  }

  private mutating func keep(_ bytes: Span<UInt8>, _ connection: borrowing ProbeResponse?) {
    guard keeping?.keepsBytes != false else {
      bodyIsCut = contentBytes > maxBody
      return
    }
    bodyIsCut = bytes.count > maximumBody - body.count
    body.append(contentsOf: bytes, upTo: maximumBody)
    limitBody(connection)
  }

  /// Truncates a body that is longer than its limit, unless further bytes of it are requested.
  private mutating func limitBody(_ connection: borrowing ProbeResponse?) {
    guard body.count > allowed, let furtherReading else { return }
    if !hasRequestedMore, mislabelling == nil, var response = copy connection {
      hasRequestedMore = true
      response.head = head
      response.body = Array(body.prefix(maxBody))
      response.bodyIsCut = true
      let room = furtherReading.room(after: response)
      if room > 0 { responseAtLimit = response }
      allowed += min(room, maximumBody - allowed)
    }
    guard body.count > allowed else { return }
    // Copy it, because a truncated array would keep its memory.
    body = Array(body.prefix(allowed))
    bodyIsCut = true
  }

  private mutating func endIfCut() throws(ResponseError) -> Bool {
    guard bodyIsCut else { return false }
    if let mislabelling { throw mislabelling }
    addFindings()
    return true
  }

  private mutating func endContent() throws(ResponseError) {
    if let mislabelling { throw mislabelling }
    decoder?.end()
    addFindings()
  }

  private mutating func addFindings() {
    guard let decoder else { return }
    deviations += decoder.findings.map(Deviation.init)
  }
}

extension Deviation {
  fileprivate init(_ finding: ContentDecoder.Finding) {
    switch finding {
    case .unknownCoding: self = .unknownContentCoding
    case .cutShort: self = .cutContentCoding
    case .wrongChecksum: self = .wrongChecksum
    case .trailingBytes: self = .bytesBehindCoding
    }
  }
}

extension HeaderFields {
  /// The codings in all Content-Encoding fields (RFC 9110 §8.4), in lower case.
  fileprivate var contentCodings: [String] {
    values(for: "Content-Encoding").flatMap { value in
      value.split(separator: ",").map { word in
        word.drop { $0 == " " || $0 == "\t" }.split(whereSeparator: { $0 == " " || $0 == "\t" }).first?
          .lowercased() ?? ""
      }
    }.filter { !$0.isEmpty }
  }
}

extension HeaderFields {
  /// Whether Content-Length consists of digits (RFC 9110 §8.6); used if it is not a number that can be represented.
  fileprivate var hasNumericLength: Bool {
    let lengths = values(for: "Content-Length").flatMap { value in
      value.split(separator: ",").map { part in
        // The white space around a value is not part of it, inside of it makes it invalid.
        part.split(whereSeparator: { $0 == " " || $0 == "\t" })
      }
    }
    return !lengths.isEmpty
      && lengths.allSatisfy { $0.count == 1 && $0[0].utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }
}

extension [UInt8] {
  /// Appends bytes, up to a total limit.
  fileprivate mutating func append(contentsOf bytes: Span<UInt8>, upTo limit: Int) {
    let room = Swift.min(bytes.count, limit - count)
    guard room > 0 else { return }
    unsafe bytes.extracting(0..<room).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

extension Int {
  /// The sum, or `Int.max` if it overflows.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}

/// The reason why a server's data is not a response that can be judged.
enum ResponseError: Error, Hashable {
  /// The connection ended before the first line was complete.
  case noResponse
  /// The connection ended inside the head.
  case headCut
  /// The head is larger than its limit.
  case headTooLarge
  /// The head is not valid, in words that follow "the server sent".
  case noHTTP(String)
  /// The chunks of the body are not valid, in words that follow "the server sent".
  case badChunks(String)
  /// The connection ended inside the body; the text says what is missing.
  case short(String)
  /// The body ends with the connection, which was closed without TLS close_notify.
  case noCloseNotify
  /// The content coding of the body is not valid, in words.
  case badCoding(String)
}
