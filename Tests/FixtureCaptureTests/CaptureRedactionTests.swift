import FixtureCapture
import Testing

/// A redaction that changes nothing.
@Suite struct CaptureRedactionTests {
  @Test func noneReplacesNothing() {
    #expect(CaptureRedaction.none.replacements.isEmpty)
  }
}
