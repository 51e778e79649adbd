import Foundation
import ProbeCore
import Testing

@testable import Transports

/// Reading responses, without a connection.
@Suite struct DecodedResponseReaderTests {
  /// The result of reading a response.
  struct Outcome: Equatable {
    var head: HTTPResponseHead?
    var body: [UInt8] = []
    var bodyIsCut = false
    var deviations: [Deviation] = []
    var responseError: ResponseError?
  }

  private static func read(
    _ bytes: [UInt8], part: Int, wasNotified: Bool = true, _ adjust: (inout ProbeRequest) -> Void = { _ in }
  ) throws -> Outcome {
    var request = ProbeRequest(try ProbeURL("http://portal.example/"))
    adjust(&request)
    var reader = DecodedResponseReader(to: request)
    var outcome = Outcome()
    do throws(ResponseError) {
      var rest = bytes[...]
      var isWhole = false
      while !isWhole, !rest.isEmpty {
        isWhole = try reader.take(Array(rest.prefix(part)))
        rest = rest.dropFirst(part)
      }
      if !isWhole { try reader.end(wasNotified: wasNotified) }
    } catch {
      outcome.responseError = error
    }
    (outcome.head, outcome.body, outcome.bodyIsCut) = (reader.headSoFar, reader.body, reader.bodyIsCut)
    outcome.deviations = reader.deviations
    return outcome
  }

  @Test func aResponseDoesNotDependOnItsSegmentation() throws {
    #expect(BrowserContentTests.all.count > 100)
    for response in BrowserContentTests.all {
      let whole = try Self.read(response.wire, part: .max)
      for part in 1...7 {
        #expect(try Self.read(response.wire, part: part) == whole, "\(response.name), in parts of \(part)")
      }
    }
  }

  @Test(
    arguments: [
      ("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", []),
      ("xx\r\nHTTP/1.1 200 OK\r\n\r\n", [.bytesBeforeStatusLine]),
      ("HTTP/1.123 200 OK\r\n\r\n", [.oddVersion]),
      ("HTTP/1.1\r\n\r\n", [.noStatus]),
      ("HTTP/1.1 20 OK\r\n\r\n", [.shortStatus]),
      ("HTTP/1.1  200 OK\r\n\r\n", [.spacesBeforeStatus]),
      ("HTTP/1.1 200 OK\nA: b\n\n", [.bareLineFeed]),
      ("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", [.noField]),
      ("HTTP/1.1 200 OK\r\nA : b\r\n\r\n", [.spaceBeforeColon]),
      ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", [.foldedLine]),
      ("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", [.noLength]),
      (
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        [.lengthAndChunks]
      ),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: tea\r\n\r\n", [.unknownTransferCoding]),
      ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [.chunksBeforeHTTP11]),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n", [.foldedLine]),
      ("HTTP/1.1 200 OK\r\nContent-Length: 0, 0\r\n\r\n", []),
      ("HTTP/1.1 103 Hints\n\nHTTP/1.1 200 OK\r\n\r\n", [.bareLineFeed]),
      ("HTTP/1.1 200 OK\r\nContent-Encoding: tea\r\n\r\nx", [.unknownContentCoding]),
      ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\u{1F}", [.cutContentCoding]),
      ("HTTP/1.1 20 OK\nno colon\n\n", [.shortStatus, .bareLineFeed, .noField]),
    ] as [(String, [Deviation])])
  func protocolViolationsAreReported(_ response: String, _ deviations: [Deviation]) throws {
    let outcome = try Self.read(Array(response.utf8), part: .max)
    #expect(outcome.responseError == nil)
    #expect(outcome.deviations == deviations)
    #expect(deviations.allSatisfy { !$0.description.isEmpty && $0.description != $0.rawValue })
  }

  @Test func limitsAreExact() throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
    let response = Array((head + "hello").utf8)
    for part in [1, 3, Int.max] {
      #expect(try Self.read(response, part: part) { $0.maxBody = 5 }.bodyIsCut == false)
      let cut = try Self.read(response, part: part) { $0.maxBody = 4 }
      #expect(cut.bodyIsCut && cut.body == Array("hell".utf8))
      #expect(try Self.read(response, part: part) { $0.maxHead = head.utf8.count }.responseError == nil)
      let large = try Self.read(response, part: part) { $0.maxHead = head.utf8.count - 1 }
      #expect(large.responseError == .headTooLarge)
      #expect(large.head?.status == 200)
      // Without a declared length, only a byte beyond the limit shows that there is more.
      let open = Array("HTTP/1.1 200 OK\r\n\r\nhello".utf8)
      #expect(try Self.read(open, part: part) { $0.maxBody = 5 }.bodyIsCut == false)
      #expect(try Self.read(open, part: part) { $0.maxBody = 4 }.bodyIsCut)
      #expect(try Self.read(open, part: part) { $0.maxBody = 0 }.body == [])
    }
  }

  @Test func aLongUncodedPageIsNotAValidResponse() throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
    let response = Array((head + String(repeating: "plain ", count: 100)).utf8)
    for part in [1, 60, 100, Int.max] {
      let outcome = try Self.read(response, part: part) { $0.maxBody = 50 }
      #expect(outcome.responseError == .badCoding("the body's gzip coding is broken"))
      #expect(outcome.body == Array(response[head.utf8.count...].prefix(50)) && outcome.bodyIsCut)
    }
    let chunks = Array(
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nplain\r\nzz".utf8)
    #expect(try Self.read(chunks, part: .max).responseError == .badCoding("the body's gzip coding is broken"))
  }

  @Test func manyOneByteChunksAreAccepted() throws {
    let chunk = "1\r\nx\r\n"
    let response = Array(
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 60_000)
        + "0\r\n\r\n").utf8)
    let outcome = try Self.read(response, part: 1000)
    #expect(outcome.responseError == nil && !outcome.bodyIsCut && outcome.body.count == 60_000)
  }

  @Test func deviationsOfATruncatedBodyAreReported() throws {
    let response = Array("HTTP/1.1 200 OK\r\nContent-Encoding: tea\r\n\r\nhello".utf8)
    let outcome = try Self.read(response, part: .max) { $0.maxBody = 3 }
    #expect(outcome.bodyIsCut && outcome.deviations == [.unknownContentCoding])
  }

  @Test func interimHeadsShareTheLimitOfAHead() throws {
    let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    let response = Array((String(repeating: interim, count: 20) + "HTTP/1.1 204 No Content\r\n\r\n").utf8)
    #expect(try Self.read(response, part: .max).head?.status == 204)
    #expect(try Self.read(response, part: .max) { $0.maxHead = 500 }.responseError == .headTooLarge)
    #expect(try Self.read(Array(interim.utf8), part: .max).responseError == .noResponse)
    #expect(try Self.read(Array(interim.utf8), part: .max).head?.status == 103)
  }

  @Test func aResponseToHEADHasNoBody() throws {
    let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Encoding: gzip\r\n\r\n".utf8)
    let outcome = try Self.read(response, part: .max) { $0.http.method = "HEAD" }
    #expect(outcome.responseError == nil && outcome.body == [] && outcome.deviations == [])
  }

  @Test func withoutCloseNotifyABodyMustBeDelimited() throws {
    let open = Array("HTTP/1.1 200 OK\r\n\r\nhello".utf8)
    #expect(try Self.read(open, part: .max, wasNotified: false).responseError == .noCloseNotify)
    let measured = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)
    #expect(try Self.read(measured, part: .max, wasNotified: false).responseError == nil)
  }

  @Test(
    arguments: [
      ("17", 17), ("0", nil), ("-1", nil), ("soon", nil), ("99999999999", nil),
      ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10),
      ("Sun Nov  6 08:49:47 1994", 10), ("Sun, 06 Nov 1994 08:49:27 GMT", nil),
      ("Sun, 31 Feb 1995 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
    ] as [(String, Int?)])
  func retryAfterIsANumberOrADate(_ value: String, _ seconds: Int?) {
    let fields = HeaderFields([(name: "Retry-After", value: value)])
    let now = Date(timeIntervalSince1970: 784_111_777)
    #expect(fields.retryAfter(at: now) == seconds.map { .seconds($0) })
  }
}
