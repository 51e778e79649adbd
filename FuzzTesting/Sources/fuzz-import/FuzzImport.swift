import FixtureCapture
import FixtureReplay
import FuzzSupport
import ProbeCore

/// Any bytes as a recording of another program: it has exchanges, or all errors are reported.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzImport(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  checkWork(of: count) {
    check { () throws(InvalidImport) in try CaptureImport.read("a", files: MemoryFiles(["a": bytes])) }
    check { () throws(InvalidImport) in
      try CaptureImport.read(
        "f", files: MemoryFiles(["f/urls.txt": bytes, "f/a": Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)]))
    }
  }
  checkWork(of: count) { checkOutput(bytes) }
  return 0
}

private func check(_ read: () throws(InvalidImport) -> ImportedCapture) {
  do throws(InvalidImport) {
    check(try read())
  } catch {
    precondition(!error.mistakes.isEmpty, "no error")
    for mistake in error.mistakes { checkSafeToPrint(mistake.description) }
  }
}

private func check(_ capture: ImportedCapture) {
  precondition(!capture.exchanges.isEmpty, "no exchange")
  checkSafeToPrint(capture.origin)
  for loss in capture.losses { checkSafeToPrint(loss) }
  for exchange in capture.exchanges {
    checkOffered(exchange.url)
    precondition(
      (exchange.wire == nil) == (exchange.failure != nil), "neither an answer nor a failure, or both")
    checkSafeToPrint(exchange.failure?.detail ?? "")
  }
}

/// Checks that a repaired response needs no further repair.
private func checkOutput(_ bytes: [UInt8]) {
  guard let first = output(bytes) else { return }
  check(first)
  guard first.exchanges.count == 1, let received = first.exchanges.first?.wire?.received else { return }
  let again = output(received)?.exchanges.map { $0.wire?.received }
  precondition(again == [received], "repaired twice")
}

/// The import of the bytes as the output of `curl -i`.
private func output(_ bytes: [UInt8]) -> ImportedCapture? {
  let files = MemoryFiles(["f/http%3A%2F%2Fportal.example%2F.http": bytes])
  do throws(InvalidImport) {
    return try CaptureImport.read("f", files: files)
  } catch {
    for mistake in error.mistakes { checkSafeToPrint(mistake.description) }
    return nil
  }
}
