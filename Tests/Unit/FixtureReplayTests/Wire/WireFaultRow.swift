import FixtureReplay
import Testing

/// A fault, and the exact bytes on the wire if it is injected into ``Page``, or into a line on plain TCP.
struct WireFaultRow: Sendable, CustomTestStringConvertible {
  /// What happens to the connection after the bytes.
  enum Ending: Sendable {
    /// It serves the next request.
    case kept
    /// A FIN, and further input from the client is accepted for a while.
    case fin
    /// A FIN, and further input from the client is accepted without a time limit.
    case halfClosed
    /// A RST.
    case reset
    /// Nothing more is received.
    case silence
    /// The same bytes continue.
    case endless
  }

  var fault: ReplayFault
  /// The bytes, or the first of them if there is no end.
  var text: String
  var ending: Ending
  /// The minimum time of the response, from the first byte requested to the last received.
  var duration = Duration.zero
  /// The number of bytes after the text that are not compared.
  var further = 0

  var testDescription: String { "\(fault.kind.rawValue), bytes \(fault.bytes.map { "\($0)" } ?? "unsaid")" }

  private init(
    _ fault: ReplayFault, _ text: String, _ ending: Ending, atLeast duration: Duration = .zero,
    further: Int = 0
  ) {
    self.fault = fault
    self.text = text
    self.ending = ending
    self.duration = duration
    self.further = further
  }
}

extension WireFaultRow {
  private static func start(_ count: Int) -> String {
    String(decoding: Page.text.utf8.prefix(count), as: UTF8.self)
  }

  private static let fields = "Location: http://portal.example/login\r\nContent-Type: text/plain\r\n"
  private static let chunks =
    "HTTP/1.1 302 Found\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n10\r\n\(Page.body)\r\n"
  private static let interim = "HTTP/1.1 100 Continue\r\n\r\n"
  private static let garbage = "\u{1}\u{2}\u{3} this is not HTTP \u{7F}\r\n\r\n"

  /// Over HTTP, in the clear and inside TLS.
  static let http: [WireFaultRow] = [
    .init(.init(.delay, for: .milliseconds(60)), Page.text, .kept, atLeast: .milliseconds(60)),
    .init(.init(.rstEarly), "", .reset),
    .init(.init(.rstAfter, bytes: 1), "H", .reset),
    .init(.init(.rstAfter, bytes: 25), start(25), .reset),
    .init(.init(.rstAfter), Page.text, .reset),
    .init(.init(.emptyFin), "", .fin),
    .init(.init(.halfClose, bytes: 120), start(120), .halfClosed),
    .init(.init(.halfClose), Page.text, .halfClosed),
    .init(.init(.shortBody, bytes: 3), Page.head + "Log", .fin),
    .init(.init(.shortBody), Page.head + "Log in, ", .fin),
    .init(.init(.chunkCut), chunks, .fin),
    .init(.init(.chunkBad), chunks + "zz\r\n", .fin),
    .init(.init(.headerCut, bytes: 40), start(40), .fin),
    .init(.init(.headerCut), "HTTP/1.1 302 Found\r\nLocation: http://portal", .fin),
    .init(.init(.garbage), garbage, .fin),
    // A head of 105 bytes in parts of 40, and 16 bytes in parts of 4: one pause fewer than parts.
    .init(
      .init(.slowHeaders, bytes: 40, every: .milliseconds(20)), Page.text, .kept, atLeast: .milliseconds(40)),
    .init(.init(.slowBody, bytes: 4, every: .milliseconds(20)), Page.text, .kept, atLeast: .milliseconds(60)),
    .init(.init(.stallHeaders, bytes: 30), start(30), .silence),
    .init(.init(.stallHeaders), "HTTP/1.1 302 Found\r\nLocation: http://portal", .silence),
    .init(.init(.stallBody, bytes: 0), Page.head, .silence),
    .init(.init(.stallBody), Page.head + "Log in, ", .silence),
    .init(.init(.continueForever), interim + interim + interim, .silence),
    .init(.init(.endlessHeaders), "HTTP/1.1 302 Found\r\nX-Filler: ffff", .endless),
    .init(.init(.endlessBody), "HTTP/1.1 302 Found\r\n\(fields)\r\n\(Page.body)\(Page.body)", .endless),
    .init(
      .init(.badGzip),
      "HTTP/1.1 302 Found\r\n\(fields)Content-Length: 16\r\nContent-Encoding: gzip\r\n\r\n\(Page.body)",
      .kept),
    .init(
      .init(.gzipBomb),
      "HTTP/1.1 302 Found\r\n\(fields)Content-Encoding: gzip\r\nContent-Length: 1048609\r\n\r\n", .kept,
      further: 1_048_609),
  ]

  /// The line of the response on plain TCP.
  static let greeting = "220 mail.example ready\r\n"

  /// Over plain TCP, where a connection is greeted.
  static let tcp: [WireFaultRow] = [
    .init(.init(.delay, for: .milliseconds(60)), greeting, .silence, atLeast: .milliseconds(60)),
    .init(.init(.rstEarly), "", .reset),
    .init(.init(.rstAfter, bytes: 3), "220", .reset),
    .init(.init(.emptyFin), "", .fin),
    .init(.init(.halfClose, bytes: 8), "220 mail", .halfClosed),
    .init(.init(.garbage), garbage, .fin),
    .init(
      .init(.slowBody, bytes: 10, every: .milliseconds(20)), greeting, .silence, atLeast: .milliseconds(40)),
    .init(.init(.stallBody, bytes: 4), "220 ", .silence),
    .init(.init(.endlessBody), greeting + greeting + greeting, .endless),
  ]
}
