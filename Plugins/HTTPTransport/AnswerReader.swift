internal import ProbeHTTPWire
internal import ProbeCore

/// Reads one answer as its bytes come: its head, its body without codings, and where it ends; no I/O.
struct AnswerReader {
  /// How many bytes a coded body may have besides two for each byte of the limit.
  private static let mostOverhead = 64 * 1024

  private let maxHead: Int
  private let maxBody: Int
  private let undoesCodings: Bool
  private var reader: ResponseReader
  /// The beginning of a head that is not whole.
  private var unread: [UInt8] = []
  /// How many bytes the heads so far have.
  private var headBytes = 0
  /// How many bytes of content have come, codings included, and how many may.
  private var contentBytes = 0
  private let mostContent: Int
  private var decoder: ContentDecoder?
  /// The beginning of a coded body, until something of it has been decoded.
  private var coded: [UInt8] = []
  /// Why a body is not coded as its label says, when the rest of it is taken as it comes.
  private var mislabelling: AnswerFault?

  /// The last interim head, and how those so far break the rules.
  private var interim: HTTPResponseHead?
  private var leniencies: Leniencies = []

  /// The head of the answer, when it is whole.
  private(set) var head: HTTPResponseHead?
  /// The body so far, its codings undone; never more than its limit.
  private(set) var body: [UInt8] = []
  /// Whether there is more of the body than its limit.
  private(set) var bodyIsCut = false
  /// How the answer breaks the rules of HTTP where it is read all the same.
  private(set) var deviations: [Deviation] = []

  /// A reader of the answer to a request.
  init(to request: ProbeRequest) {
    maxHead = request.maxHead
    maxBody = request.maxBody
    mostContent = Self.mostOverhead.addingClamped(maxBody).addingClamped(maxBody)
    undoesCodings = !request.http.contentCodings.isEmpty
    reader = ResponseReader(isToHead: request.http.method == "HEAD")
  }

  /// Takes bytes.
  ///
  /// - Returns: Whether that is all: the answer is whole, or its body is longer than its limit.
  /// - Throws: ``AnswerFault`` when it is no answer.
  mutating func take(_ bytes: [UInt8]) throws(AnswerFault) -> Bool {
    let scanned = unread.count
    var wire: [UInt8] = []
    if scanned == 0 {
      wire = bytes
    } else {
      swap(&wire, &unread)
      wire += bytes
    }
    var place = 0
    while true {
      let start = place
      let event: ResponseReader.Event
      do throws(WireFault) {
        event = try reader.next(wire.span, scanned: scanned, &place)
      } catch {
        // The first fault is the one to report.
        guard head == nil else { throw mislabelling ?? .badChunks(error.reason) }
        // What can be read of it is evidence all the same.
        unread = Array(wire[start...])
        throw .noHTTP(error.reason)
      }
      switch event {
      case .interim(let parts, let range):
        try countHead(place - start)
        interim = HTTPResponseHead(parts, of: Array(wire[range]))
        leniencies.formUnion(parts.leniencies)
      case .head(let parts, let range):
        let bytes = Array(wire[range])
        unread = bytes
        try countHead(place - start)
        unread = []
        takeHead(parts, bytes)
      case .content(let range):
        if try takeContent(wire.span.extracting(range)) { return true }
      case .end:
        try endContent()
        return true
      case .needsMore:
        guard head == nil else { return false }
        unread = place == 0 ? wire : Array(wire[place...])
        guard headBytes + unread.count <= maxHead else { throw .headTooLarge }
        return false
      }
    }
  }

  /// Takes note that the connection has ended behind what was taken.
  ///
  /// - Parameter wasNotified: Whether TLS said so (RFC 8446 §6.1); true without TLS.
  /// - Throws: ``AnswerFault`` when the answer is not whole.
  mutating func end(wasNotified: Bool) throws(AnswerFault) {
    guard head != nil else { throw unread.contains(UInt8(ascii: "\n")) ? .headCut : .noAnswer }
    if let mislabelling { throw mislabelling }
    if let missing = reader.missing { throw .short(missing) }
    // Anyone on the path can cut it anywhere (RFC 9112 §9.8).
    guard wasNotified else { throw .noCloseNotify }
    try endContent()
  }

  /// The head as far as it has come in whole lines: half a Location leads elsewhere.
  var headSoFar: HTTPResponseHead? {
    if let head { return head }
    let lines = unread.prefix(maxHead)
    guard let end = lines.lastIndex(of: UInt8(ascii: "\n")) else { return interim }
    return HTTPResponseHead(wireBytes: Array(lines[...end])) ?? interim
  }
}

extension AnswerReader {
  private mutating func countHead(_ count: Int) throws(AnswerFault) {
    headBytes += count
    guard headBytes <= maxHead else { throw .headTooLarge }
  }

  private mutating func takeHead(_ parts: ResponseParts, _ bytes: [UInt8]) {
    let head = HTTPResponseHead(parts, of: bytes)
    self.head = head
    deviations = Deviation.of(leniencies.union(parts.leniencies))
    guard undoesCodings, parts.framing != .none else { return }
    let codings = head.fields.contentCodings
    if !codings.isEmpty { decoder = ContentDecoder(codings, limit: maxBody) }
  }

  /// Takes a piece of content.
  ///
  /// - Returns: Whether the body is longer than its limit.
  private mutating func takeContent(_ bytes: Span<UInt8>) throws(AnswerFault) -> Bool {
    contentBytes += bytes.count
    guard decoder != nil else {
      keep(bytes)
      return try endIfCut()
    }
    do throws(ContentDecoder.Fault) {
      if body.isEmpty { coded.append(contentsOf: bytes, upTo: maxBody) }
      bodyIsCut = try decoder?.take(bytes, into: &body) == .limitReached
    } catch {
      // A page that is not coded at all is taken as it is, for people to see.
      guard body.isEmpty else { throw .badCoding(error.description) }
      mislabelling = .badCoding(error.description)
      decoder = nil
      body = coded
      coded = []
      bodyIsCut = contentBytes > maxBody
    }
    if !body.isEmpty { coded = [] }
    // Codings that hide more than they bring.
    if contentBytes > mostContent { bodyIsCut = true }
    return try endIfCut()
  }

  private mutating func keep(_ bytes: Span<UInt8>) {
    bodyIsCut = bytes.count > maxBody - body.count
    body.append(contentsOf: bytes, upTo: maxBody)
  }

  private mutating func endIfCut() throws(AnswerFault) -> Bool {
    guard bodyIsCut else { return false }
    if let mislabelling { throw mislabelling }
    addFindings()
    return true
  }

  /// Takes note that the content is whole.
  private mutating func endContent() throws(AnswerFault) {
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
    case .bytesBehind: self = .bytesBehindCoding
    }
  }
}

extension HeaderFields {
  /// The words of all Content-Encoding fields (RFC 9110 §8.4), in lower case.
  fileprivate var contentCodings: [String] {
    values(for: "Content-Encoding").flatMap { value in
      value.split(separator: ",").map { word in
        word.drop { $0 == " " || $0 == "\t" }.split(whereSeparator: { $0 == " " || $0 == "\t" }).first?
          .lowercased() ?? ""
      }
    }.filter { !$0.isEmpty }
  }
}

extension [UInt8] {
  /// Adds bytes while there are no more than a limit.
  fileprivate mutating func append(contentsOf bytes: Span<UInt8>, upTo limit: Int) {
    let room = Swift.min(bytes.count, limit - count)
    guard room > 0 else { return }
    unsafe bytes.extracting(0..<room).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

extension Int {
  /// The sum, or the largest number where it would be larger.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}

/// Why what a server sent is no answer to judge.
enum AnswerFault: Error, Hashable {
  /// The connection ended before the first line was whole.
  case noAnswer
  /// The connection ended inside the head.
  case headCut
  /// The head is larger than its limit.
  case headTooLarge
  /// The head is none, in words that follow "the server sent".
  case noHTTP(String)
  /// The chunks of the body are none, in words that follow "the server sent".
  case badChunks(String)
  /// The connection ended inside the body, in words that follow "the answer has".
  case short(String)
  /// The body ends with the connection, and TLS did not say that it ended.
  case noCloseNotify
  /// The content coding of the body is broken, in words.
  case badCoding(String)
}
