package import ProbeSystem

/// The destination of the lines of a scan; writing may block.
package protocol ScanWriter: Sendable {
  /// Writes lines of a part.
  func write(_ lines: [UInt8], ofPart part: Int) throws(OutputSink.Failure)

  /// Writes the end line of a complete part.
  func end(part: Int, _ line: [UInt8]) throws(OutputSink.Failure)
}

/// A scan that is not divided, on standard output or in a file.
package struct ScanStream: ScanWriter {
  let sink: OutputSink

  /// Creates a writer to a sink.
  package init(
    sink: OutputSink
  ) {
    self.sink = sink
  }

  package func write(_ lines: [UInt8], ofPart part: Int) throws(OutputSink.Failure) {
    sink.write(lines)
    // Flush, so that the reader of a pipe receives each result immediately.
    sink.flush()
    if let failure = sink.failure { throw failure }
  }

  package func end(part: Int, _ line: [UInt8]) throws(OutputSink.Failure) {
    try write(line, ofPart: part)
  }
}
