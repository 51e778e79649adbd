import ProbeBase
import Testing

/// Numbers from outside the process: their bounds, and that no arithmetic on them ends it.
@Suite struct ExternalNumberTests {
  static let bound = 1 << 53 - 1

  /// The extremes that inputs use, and numbers around the bounds.
  static let extremes: [Int] = [
    0, 1, -1, 2, 9, -9, 1 << 31, -(1 << 31), 1 << 32, bound - 1, bound, bound + 1, -bound, -bound - 1,
    1 << 62,
    .max - 1, .max, .min, .min + 1,
  ]

  private func bounded(_ number: Int128) -> Int {
    Int(clamping: min(max(number, -Int128(Self.bound)), Int128(Self.bound)))
  }

  @Test func arithmeticSaturates() {
    for left in Self.extremes {
      let number = ExternalNumber(left)
      #expect(number.value == bounded(Int128(left)))
      #expect((-number).value == -number.value)
      for right in Self.extremes {
        let other = ExternalNumber(right)
        let (wide, otherWide) = (Int128(number.value), Int128(other.value))
        #expect((number + other).value == bounded(wide + otherWide))
        #expect((number - other).value == bounded(wide - otherWide))
        #expect((number * other).value == bounded(wide * otherWide), "\(left) * \(right)")
        #expect((number < other) == (wide < otherWide))
      }
    }
    #expect(ExternalNumber(UInt64.max) == .maximum)
    #expect(ExternalNumber(Int128.min) == -.maximum)
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("+7", 7), ("007", 7), ("9007199254740991", bound), ("9007199254740992", bound),
      ("-9223372036854775808", -bound), ("9223372036854775808", bound), ("-99999999999999999999", -bound),
      (String(repeating: "9", count: 1000), bound), ("", nil), ("-", nil), ("+", nil), ("--1", nil),
      ("1.5", nil),
      ("1e9", nil), ("0x10", nil), (" 1", nil), ("1 ", nil), ("٣", nil), ("99999999999999999999x", nil),
    ] as [(String, Int?)])
  func textsAreNumbersWithinTheBounds(_ text: String, _ value: Int?) {
    #expect(ExternalNumber(text: text)?.value == value)
    #expect(ExternalNumber(text: text[...])?.value == value)
  }

  @Test(
    arguments: [
      (.nan, 0), (.infinity, bound), (-.infinity, -bound), (-0.0, 0), (1.9, 1), (-1.9, -1), (1e308, bound),
      (-1e308, -bound), (0x1p53, bound), (0x1p63, bound), (-0x1p63, -bound), (.leastNonzeroMagnitude, 0),
    ] as [(Double, Int)])
  func fractionsAreNumbersWithinTheBounds(_ number: Double, _ value: Int) {
    #expect(ExternalNumber(number).value == value)
    #expect(Int(bounding: number) == value)
  }

  @Test func textsOutsideOfTheRangeAreRefused() {
    #expect(Int(text: "9007199254740991") == Self.bound)
    #expect(Int(text: "9007199254740992") == nil)
    #expect(Int(text: "-9223372036854775808") == nil)
    #expect(Int(text: "99999999999999999999") == nil)
    #expect(Int(text: "7", in: 0...7) == 7)
    #expect(Int(text: "8", in: 0...7) == nil)
    #expect(UInt16(text: "65535") == .max)
    #expect(UInt16(text: "65536") == nil)
    #expect(UInt16(text: "-1") == nil)
    #expect(UInt8(text: "fF", radix: 16) == 255)
    #expect(UInt8(text: "100", radix: 16) == nil)
    #expect(UInt64(text: "18446744073709551615") == nil)
    #expect(ExternalNumber(7).within(0...7) == 7)
    #expect(ExternalNumber(8).within(0...7) == nil)
  }

  @Test func narrowIntegersBecomeWiderOnes() {
    #expect(Int(widening: UInt8.max) == 255)
    #expect(Int(widening: Int32.min) == -2_147_483_648)
    #expect(Int64(widening: UInt32.max) == 4_294_967_295)
    #expect(UInt64(widening: UInt.max) == .max)
    #expect(UInt32(widening: UInt16.max) == 65_535)
    #expect(Int32(widening: UInt16.max) == 65_535)
    #expect(UInt16(widening: UInt8.max) == 255)
    #expect(UInt(widening: UInt32.max) == 4_294_967_295)
  }
}
