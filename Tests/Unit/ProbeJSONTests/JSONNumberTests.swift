import ProbeJSON
import TestRequirements
import TestSupport
import Testing

/// Numbers of JSON, as exact as they are written.
@Suite struct JSONNumberTests {
  @Test(arguments: [
    ("0", 0), ("-0", 0), ("7", 7), ("-1", -1), ("1e3", 1000), ("1.50e1", 15), ("10.0", 10), ("100e-2", 1),
    ("0e99999999999999999999", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ("922337203685477580.7e1", .max), ("-9.223372036854775808E+18", .min),
  ])
  func wholeNumbersAreRead(_ text: String, _ value: Int) throws {
    let number = try #require(JSONNumber(text))
    #expect(number.text == text)
    #expect(number.isWhole && number.wholeNumber == value)
    #expect(number.order(to: JSONNumber(value)) == 0)
  }

  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "1e19", "1e400", "1e999999999999999999999",
  ])
  func numbersBeyond64BitsAreWhole(_ text: String) throws {
    let number = try #require(JSONNumber(text))
    #expect(number.isWhole && number.wholeNumber == nil)
  }

  @Test(arguments: ["0.1", "-1.5", "1e-1", "123456789012345678901234567890.5", "1e-999999999999999999999"])
  func fractionsAreNotWhole(_ text: String) throws {
    let number = try #require(JSONNumber(text))
    #expect(!number.isWhole && number.wholeNumber == nil)
  }

  @Test(arguments: [
    "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1.e1", "0x1", "1_0", " 1", "1 ", "NaN", "inf",
    "1\u{301}",
    "\u{661}", "1e1.5", "--1",
  ])
  func whatIsNoNumberIsRefused(_ text: String) { #expect(JSONNumber(text) == nil) }

  @Test func doublesAreTheirShortestNumber() {
    #expect(JSONNumber(0.1)?.text == "0.1")
    #expect(JSONNumber(1e300)?.text == "1e+300")
    #expect(JSONNumber(Double.nan) == nil && JSONNumber(Double.infinity) == nil)
    #expect(JSONNumber("1e400")?.double == .infinity && JSONNumber("-1e400")?.double == -.infinity)
    #expect(JSONNumber("-2.5")?.double == -2.5)
  }

  /// Python's decimal numbers are exact.
  @Test func theOrderIsThatOfPython() throws {
    let seed: UInt64 = 15
    var random = SeededNumbers(seed: seed)
    func digits(_ count: Int) -> String {
      (0..<count).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
    }
    func number() -> String {
      let whole =
        Bool.random(using: &random)
        ? "0" : "\(Int.random(in: 1...9, using: &random))" + digits(.random(in: 0...25, using: &random))
      let fraction = Bool.random(using: &random) ? "" : "." + digits(.random(in: 1...25, using: &random))
      let exponent =
        Int.random(in: 0...2, using: &random) > 0 ? "" : "e\(Int.random(in: -30...30, using: &random))"
      return (Bool.random(using: &random) ? "-" : "") + whole + fraction + exponent
    }
    let pairs = (0..<3000).map { index -> (String, String) in
      let left = number()
      // Numbers that are equal or nearly so, and such that are written in another way.
      let right: String =
        switch index % 4 {
        case 0: number()
        case 1: left.contains("e") || !left.contains(".") ? left : left + "0"
        case 2: left.contains("e") || left.contains(".") ? left : left + ".0e0"
        default: left.contains("e") ? left : left + (left.contains(".") ? "1" : ".0000000000000000000000001")
        }
      return (left, right)
    }
    var lines = ""
    for (left, right) in pairs {
      let order = try #require(JSONNumber(left)).order(to: try #require(JSONNumber(right)))
      lines += "\(left) \(right) \(order)\n"
    }
    let files = try TemporaryFolder(["pairs": lines])
    let script = """
      import sys
      from decimal import Decimal, getcontext
      getcontext().prec = 200
      for line in open(sys.argv[1]):
          left, right, order = line.split()
          difference = Decimal(left) - Decimal(right)
          expected = (difference > 0) - (difference < 0)
          if str(expected) != order: sys.exit(f"{line.strip()}, not {expected}")
      """
    guard let code = try runProgram("python3", ["-c", script, "\(files.path)/pairs"]) else {
      try skipTest("there is no python3")
    }
    #expect(code == 0, "seed \(seed)")
  }
}
