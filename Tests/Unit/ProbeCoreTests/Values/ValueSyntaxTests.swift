import ProbeCore
import Testing

@Suite struct ValueSyntaxTests {
  private let times = Duration.milliseconds(1)...Duration.seconds(30 * 86_400)

  @Test(arguments: [
    ("5s", Duration.seconds(5)), ("800ms", .milliseconds(800)), ("1m", .seconds(60)), ("2h", .seconds(7200)),
    ("14d", .seconds(14 * 86_400)), ("1.5s", .milliseconds(1500)), ("0.25 m", .seconds(15)),
    ("1.25ms", .microseconds(1250)),
  ])
  func aTimeIsRead(_ text: String, _ duration: Duration) throws {
    #expect(try ValueSyntax.duration(text, in: times) == duration)
  }

  @Test(arguments: [
    ("", "\"\" is not a time: write it as 5s, 800ms or 1m"),
    ("soon", "\"soon\" is not a time: write it as 5s, 800ms or 1m"),
    ("-5s", "\"-5s\" is not a time: write it as 5s, 800ms or 1m"),
    (".5s", "\".5s\" is not a time: write it as 5s, 800ms or 1m"),
    ("5", "the time \"5\" has no unit: use ms, s, m, h or d, as in 5s"),
    ("5 S", "the time \"5 S\" has an unknown unit: use ms, s, m, h or d, as in 5s"),
    ("1m30s", "the time \"1m30s\" has an unknown unit: use ms, s, m, h or d, as in 5s"),
    ("0s", "the time \"0s\" is out of bounds: use one from 1ms to 30d"),
    ("31d", "the time \"31d\" is out of bounds: use one from 1ms to 30d"),
    ("0.0000000001s", "the number has too many decimal places: round it"),
    ("9999999999999999d", "the number is too large"),
    ("99999999999999999999s", "the number is too large"),
  ])
  func invalidTimesAreExplained(_ text: String, _ description: String) {
    let error = #expect(throws: InvalidInput.self) { try ValueSyntax.duration(text, in: times) }
    #expect(error?.description == description)
  }

  @Test(arguments: [
    ("0", 0), ("4096", 4096), ("64KiB", 65_536), ("64 KiB", 65_536), ("1MB", 1_000_000), ("1kB", 1000),
    ("1KB", 1000), ("1.5KiB", 1536), ("0.5MiB", 524_288), ("10B", 10), ("1GiB", 1 << 30),
  ])
  func aSizeIsRead(_ text: String, _ count: Int) throws {
    #expect(try ValueSyntax.byteCount(text, in: 0...(1 << 30)) == count)
  }

  @Test(arguments: [
    ("much", "\"much\" is not a number of bytes: write it as 4096, 64KiB or 1MB"),
    ("1XB", "the size \"1XB\" has an unknown unit: use B, kB, MB, GB, KiB, MiB or GiB"),
    ("0.5", "the number has too many decimal places: round it"),
    ("2MiB", "the size \"2MiB\" is out of bounds: use one from 16 to 1MiB"),
    ("0", "the size \"0\" is out of bounds: use one from 16 to 1MiB"),
    ("9999999999999GiB", "the number is too large"),
  ])
  func invalidSizesAreExplained(_ text: String, _ description: String) {
    let error = #expect(throws: InvalidInput.self) { try ValueSyntax.byteCount(text, in: 16...(1 << 20)) }
    #expect(error?.description == description)
  }

  @Test(arguments: ["5s", "800ms", "1m", "90s", "2h", "14d", "1500ms"])
  func aTimeIsWrittenAsItIsRead(_ text: String) throws {
    #expect(ValueSyntax.text(of: try ValueSyntax.duration(text, in: times)) == text)
  }

  @Test func zeroIsWrittenInSeconds() {
    #expect(ValueSyntax.text(of: .zero) == "0s")
  }
}
