import ProbeBase
import Testing

@testable import ProbeSystem

/// The buffering of output.
@Suite struct OutputSinkTests {
  @Test func outputIsBuffered() {
    let memory = MemoryOutput()
    let buffered = OutputSink(bufferSize: 4) { [sink = memory.sink()] bytes throws(OutputSink.Failure) in
      sink.write(String(decoding: bytes, as: UTF8.self) + "|")
    }
    buffered.write("ab")
    #expect(memory.text.isEmpty)
    buffered.write("cde")
    buffered.writeLine("f")
    buffered.flush()
    buffered.flush()
    #expect(memory.text == "abcde|f\n|")
  }
}
