import FuzzSupport
import ProbeCore
@testable import ProbeScan

/// Any bytes as the input of a scan, compressed or not: the result does not depend on the pieces, and the
/// sizes of a piece and of the kept part of a line are limited.
///
/// The first byte is the size of the pieces, the second one the number of lines in a part.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzScan(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard bytes.count > 2 else { return 0 }
  let input = Array(bytes.dropFirst(2))
  let partLines = bytes[1] & 7 == 0 ? nil : Int(bytes[1] & 7)
  checkWork(of: count) {
    let whole = Unpacked(input, pieces: input.count)
    let pieces = Unpacked(input, pieces: 1 + Int(bytes[0] & 15))
    if whole.isCut || pieces.isCut {
      let common = min(whole.content.count, pieces.content.count)
      precondition(
        whole.content.prefix(common) == pieces.content.prefix(common), "the content differs in pieces")
    } else {
      precondition(whole.problem == nil || pieces.problem != nil, "it is damaged only as a whole")
      precondition(whole.problem != nil || pieces.problem == nil, "it is damaged only in pieces")
      precondition(whole.problem != nil || whole.content == pieces.content, "the content differs in pieces")
    }
    let events = Events(whole.content, pieces: whole.content.count, partLines)
    let others = Events(whole.content, pieces: 1 + Int(bytes[0] >> 4), partLines)
    precondition(events == others, "the lines depend on the pieces")
    precondition(
      events.lines == whole.content.lineCount, "\(events.lines) lines of \(whole.content.lineCount)")
  }
  return 0
}

/// The decompressed content of a file.
private struct Unpacked {
  var content: [UInt8] = []
  var problem: InvalidInput?
  /// Whether there is more, which is not unpacked.
  var isCut = false

  init(_ bytes: [UInt8], pieces: Int) {
    var unpacking = ScanUnpacking()
    do throws(InvalidInput) {
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        unpacking.add(Array(bytes[start..<min(start + pieces, bytes.count)]))
        while let piece = try unpacking.next() {
          precondition(piece.count <= max(1 << 15, bytes.count), "a piece of \(piece.count) bytes")
          content += piece
          guard content.count < 100_000 else {
            isCut = true
            return
          }
        }
      }
      content += try unpacking.finish()
    } catch {
      problem = error
      checkSafeToPrint(error.description)
    }
  }
}

/// The events of a reader.
private struct Events: Equatable {
  private var texts: [String] = []
  private(set) var lines = 0

  init(_ content: [UInt8], pieces: Int, _ partLines: Int?) {
    let reader = ScanReader(partLines: partLines)
    for start in stride(from: 0, to: content.count, by: max(pieces, 1)) {
      reader.add(Array(content[start..<min(start + max(pieces, 1), content.count)]))
      while let event = reader.next() { take(event) }
    }
    if let event = reader.endFile() { take(event) }
    if let event = reader.end() { take(event) }
    lines = reader.lines
  }

  private mutating func take(_ event: ScanReader.Event) {
    switch event {
    case .endOfPart(let number, let lines, let digest): texts.append("part \(number) \(lines) \(digest)")
    case .line(let line):
      precondition(
        line.url.utf8.count <= ScanReader.maximumLineLength, "a text of \(line.url.utf8.count) bytes")
      let result: String
      do throws(InvalidInput) {
        let url = try line.target.get()
        checkURL(url)
        result = url.description
      } catch {
        checkSafeToPrint(error.description)
        result = error.description
      }
      let id = line.id.map { "\($0)" } ?? "none"
      let labels = line.labels.sorted { $0.key < $1.key }
      texts.append("\(line.number) \(line.part) \(id) \(line.url) \(result) \(line.set ?? "") \(labels)")
    }
  }
}

extension [UInt8] {
  /// The number of lines, the last of which may lack its line break.
  fileprivate var lineCount: Int {
    count { $0 == UInt8(ascii: "\n") } + (isEmpty || last == UInt8(ascii: "\n") ? 0 : 1)
  }
}
