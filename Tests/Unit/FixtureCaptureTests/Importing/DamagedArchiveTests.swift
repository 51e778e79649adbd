import FixtureCapture
import FixtureReplay
import Foundation
import LoopbackServer
import ProbeCore
import TestRequirements
import TestSupport
import Testing

/// Imports of web archives that are cut or damaged: what comes before the damage is kept, and the damage is reported.
@Suite struct DamagedArchiveTests {
  private static let bodies = ["one", "two, longer", "three"]

  private static let warc = bodies.map { body in
    let block = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    return "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\(body.utf8.count)\r\n"
      + "Content-Length: \(block.utf8.count)\r\n\r\n\(block)\r\n\r\n"
  }

  private static let arc: [String] = {
    let description = "1 0 Example\nURL IP-address Archive-date Content-type Archive-length\n\n"
    let start = "filedesc://a.arc 0.0.0.0 20040101000000 text/plain \(description.utf8.count)\n\(description)"
    let records = bodies.map { body in
      let block = "HTTP/1.0 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      return
        "http://a.example/\(body.utf8.count) 192.0.2.7 20040101000000 text/html \(block.utf8.count)\n\(block)\n"
    }
    return [start + records[0]] + records[1...]
  }()

  private static func bodies(of capture: ImportedCapture) -> [String] {
    capture.received.map { text in
      text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
    }
  }

  /// Wherever the file is cut, the records before are imported.
  @Test(arguments: [warc, arc])
  func theRecordsBeforeACutAreKept(_ records: [String]) throws {
    let whole = Array(records.joined().utf8)
    var ends: [Int] = []
    for record in records {
      // The line ends after a record are not necessary.
      let text = Array(record.utf8)
      ends.append((ends.last ?? 0) + text.count)
    }
    for length in 1...whole.count {
      let cut = Array(whole.prefix(length))
      // A cut in the line ends after a record loses nothing.
      let tail = records[0].hasPrefix("WARC") ? 4 : 1
      let complete = ends.count { $0 - tail <= length }
      let isWhole = ends.contains { ($0 - tail...$0).contains(length) }
      do throws(InvalidImport) {
        let capture = try CaptureImport.read(cut)
        #expect(Self.bodies(of: capture) == Array(Self.bodies.prefix(complete)), "cut at \(length)")
        let loss = capture.loss("the end of the recording")
        #expect((loss == nil) == isWhole, "cut at \(length): \(capture.losses)")
        #expect(isWhole || loss?.contains("record ") == true && loss?.contains(" at byte ") == true)
      } catch {
        #expect(complete == 0, "cut at \(length): \(error)")
      }
    }
  }

  @Test(arguments: [warc, arc])
  func theRecordsBeforeDamageAreKept(_ records: [String]) throws {
    let capture = try ImportedCapture(reading: records[0] + records[1] + "garbage\n" + records[2])
    #expect(Self.bodies(of: capture) == Array(Self.bodies.prefix(2)))
    let loss = try #require(capture.loss("the end of the recording"))
    #expect(loss.contains("at byte \(records[0].utf8.count + records[1].utf8.count)"), "\(loss)")
    #expect(!loss.contains("garbage"), "the text may be private")
  }

  /// A gzip member for each record, as crawlers write them, or one for all.
  @Test(arguments: [true, false])
  func compressedRecordsBeforeACutAreKept(_ hasMembers: Bool) throws {
    let files = try TemporaryFolder()
    for (index, text) in (hasMembers ? Self.warc : [Self.warc.joined()]).enumerated() {
      try files.write("record", text)
      let script = "gzip -nc \"$0/record\" >>\"$0/all.gz\""
      guard try runProgram("sh", ["-c", script, files.path]) == 0 else { try skipTest("there is no gzip") }
      _ = index
    }
    let packed = [UInt8](try Data(contentsOf: URL(filePath: files.path(of: "all.gz"))))
    var counts: Set<Int> = []
    for length in 1..<packed.count {
      do throws(InvalidImport) {
        let capture = try CaptureImport.read("a", files: MemoryFiles(["a": Array(packed.prefix(length))]))
        counts.insert(capture.exchanges.count)
        #expect(Self.bodies(of: capture) == Array(Self.bodies.prefix(capture.exchanges.count)))
        let isBetween =
          hasMembers && capture.exchanges.count < 3 && capture.loss("the end of the recording") == nil
        #expect(capture.loss("the end of the recording") != nil || isBetween, "cut at \(length)")
      } catch {
        #expect(!error.mistakes.isEmpty)
      }
    }
    #expect(counts.isSuperset(of: [1, 2, 3]))
    let whole = try CaptureImport.read("a", files: MemoryFiles(["a": packed + [0, 0, 0, 0]]))
    #expect(whole.exchanges.count == 3 && whole.loss("the end of the recording") == nil)
    // One byte of the data is wrong, so the checksum is too at the latest.
    var wrong = packed
    wrong[packed.count - 8] ^= 1
    let damaged = try CaptureImport.read("a", files: MemoryFiles(["a": wrong]))
    #expect(damaged.exchanges.count == 3)
    #expect(damaged.loss("the end of the recording")?.contains("damaged before byte ") == true)
  }

  /// A HAR file is one JSON text, of which a part means nothing.
  @Test func aCutHARFileIsAnError() {
    let text =
      #"{"log":{"entries":[{"request":{"method":"GET","url":"http://a/"},"response":{"status":204}},"#
    let reported = mistakes { () throws(InvalidImport) in try ImportedCapture(reading: text) }
    #expect(reported.count == 1 && reported[0].contains("the file may be incomplete; save it again"))
  }

  /// An archive that wget writes while it requests two pages.
  @Test func anArchiveOfWgetIsReadAlsoIfItIsCut() throws {
    let server = try LoopbackServer.http { request in
      .response(headers: [("Content-Type", "text/html")], body: "<p>\(request.target)")
    }
    let folder = try TemporaryFolder()
    let script = "cd \"$0\" && wget -q -t 1 --no-config --warc-file=all -O /dev/null \"$1\" \"$2\""
    let code = try runProgram("sh", ["-c", script, folder.path, server.url("/a"), server.url("/b")])
    guard code == 0 else { try skipTest("there is no wget") }
    let packed = [UInt8](try Data(contentsOf: URL(filePath: folder.path(of: "all.warc.gz"))))
    let whole = try CaptureImport.read("a", files: MemoryFiles(["a": packed]))
    #expect(whole.origin.hasPrefix("WARC 1.0 by Wget/"))
    #expect(Self.bodies(of: whole) == ["<p>/a", "<p>/b"])
    #expect(whole.loss("the end of the recording") == nil)
    var counts: Set<Int> = []
    for length in stride(from: packed.count - 1, to: 0, by: -7) {
      let cut = MemoryFiles(["a": Array(packed.prefix(length))])
      counts.insert(((try? CaptureImport.read("a", files: cut))?.exchanges.count) ?? 0)
    }
    #expect(counts == [0, 1, 2])
  }
}
