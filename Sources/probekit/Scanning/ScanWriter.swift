/// Where the lines of a scan go; it may block.
protocol ScanWriter: Sendable {
  /// Writes lines of a part.
  func write(_ lines: [UInt8], ofPart part: Int) throws(OutputSink.Failure)

  /// Writes the end line of a part, which is complete.
  func end(part: Int, _ line: [UInt8]) throws(OutputSink.Failure)
}

/// A scan that is not divided, on standard output or in a file.
struct ScanStream: ScanWriter {
  let sink: OutputSink

  func write(_ lines: [UInt8], ofPart part: Int) throws(OutputSink.Failure) {
    sink.write(lines)
    // Who reads a pipe sees each result at once.
    sink.flush()
    if let failure = sink.failure { throw failure }
  }

  func end(part: Int, _ line: [UInt8]) throws(OutputSink.Failure) {
    try write(line, ofPart: part)
  }
}
