import ProbeCore
import Testing

@testable import Transports

/// The rules of the Monitoring Plugins Development Guidelines for performance data, one by one.
@Suite struct PerformanceDataTests {
  /// The values as `label=number unit`, separated by `, `.
  private static func read(_ text: String) -> String {
    var data = PerformanceData()
    data.add(Array(text.utf8)[...])
    return data.values.map { "\($0.label)=\($0.text) \($0.unit)".trimmed }.joined(separator: ", ")
  }

  static let lines: [(line: String, values: String)] = [
    ("time=0.006238s;;;0.000000;10.000000 size=4112B;;;0", "time=0.006238 s, size=4112 B"),
    ("rta=0.083000ms;100.000000;200.000000;0.000000 pl=0%;10;20;0;", "rta=0.083000 ms, pl=0 %"),
    ("users=3", "users=3"),
    // Units of the guidelines, and others.
    (
      "a=1us b=1ms c=1s d=1% e=1B f=1KB g=1MB h=1GB i=1TB j=1c",
      "a=1 us, b=1 ms, c=1 s, d=1 %, e=1 B, "
        + "f=1 KB, g=1 MB, h=1 GB, i=1 TB, j=1 c"
    ),
    ("t=21.5C rpm=1200/min", "t=21.5 C, rpm=1200 /min"),
    // Labels.
    ("'free space'=1 'it''s'=2 'a=b'=3 /=4 '/var/lib'=5", "free space=1, it's=2, a=b=3, /=4, /var/lib=5"),
    ("load 1=2", "1=2"),
    // Numbers.
    (
      "a=-1 b=+2.5 c=.5 d=5. e=1e-05s f=1.5E+3 g=2EB h=3e",
      "a=-1, b=+2.5, c=.5, d=5., e=1e-05 s, f=1.5E+3, "
        + "g=2 EB, h=3 e"
    ),
    ("a=U b=U;1;2 c=3", "c=3"),
    // Thresholds and bounds, which are not kept.
    ("a=1;@10:20;~:5;0;100 b=2;10:;:20 c=3;;;; d=4;1:2,3:4", "a=1, b=2, c=3, d=4"),
    // The first value of a label counts.
    ("a=1 a=2 b=3", "a=1, b=3"),
    // Parts that do not follow the format.
    ("a=1 b c= d=x e=1.2.3 f=0,5s =6 ''=7 g=inf h=nan i=0x10 j=1e999 k=- l=1", "a=1, l=1"),
    ("'never ends=1 b=2", "ends=1, b=2"),
    ("'a'b=1 c=2", "c=2"),
    ("'a' =1 c=2", "c=2"),
    ("a=1'x b=2", "b=2"),
    ("a=1ABCDEFGHIJKLMNOPQ b=2", "b=2"),
    ("   a=1\t\t b=2  ", "a=1, b=2"),
    ("", ""),
  ]

  @Test(arguments: lines.indices) func aLine(_ index: Int) {
    let (line, values) = Self.lines[index]
    #expect(Self.read(line) == values)
  }

  @Test func numbersAreParsed() {
    var data = PerformanceData()
    data.add(Array("a=1e-05s b=-.5 c=1.5E+3".utf8)[...])
    #expect(data.values.map(\.number) == [0.00001, -0.5, 1500])
  }

  @Test func valuesAndLabelsAreLimited() {
    let many = (0..<1000).map { "v\($0)=\($0)" }.joined(separator: " ")
    #expect(Self.read(many).split(separator: ", ").count == 100)
    #expect(Self.read(many).hasSuffix("v99=99"))
    // A character that crosses the limit is omitted.
    let long = String(repeating: "x", count: 99) + "ü" + String(repeating: "y", count: 1000)
    #expect(Self.read("'\(long)'=1 b=2") == String(repeating: "x", count: 99) + "…=1, b=2")
  }

  @Test func limitsApplyToTheReportedText() {
    // A byte that is not UTF-8 is reported as U+FFFD, which has three bytes.
    let bytes = [UInt8](repeating: 0xF1, count: 60)
    var data = PerformanceData()
    data.add((bytes + Array("=1 b=2".utf8) + bytes.prefix(6) + Array(" c=3".utf8) + bytes.prefix(5))[...])
    #expect(data.values.map(\.label) == [String(repeating: "\u{FFFD}", count: 33) + "…", "c"])
    #expect(data.values.map(\.unit) == ["", String(repeating: "\u{FFFD}", count: 5)])
  }

  @Test func labelsAndUnitsAreSafeToPrint() {
    #expect(Self.read("'\u{1B}[2J'=1 b=2\u{202E}") == "\\x1b[2J=1, b=2 \\u{202e}")
  }

  @Test func anyBytesCanBeRead() {
    var bytes = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let line = (0..<Int.random(in: 0...40, using: &bytes)).map { _ in
        Array("='| ;.e-U%\n\u{1}9aü".utf8).randomElement(using: &bytes) ?? 0
      }
      var data = PerformanceData()
      data.add(line[...])
      #expect(data.values.allSatisfy { !$0.label.isEmpty && $0.number.isFinite }, "\(line)")
    }
  }
}

extension String {
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
