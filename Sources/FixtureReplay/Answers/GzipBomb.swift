/// A megabyte of gzip (RFC 1952) that unfolds to a gigabyte of zeros.
///
/// One block of deflate (RFC 1951 §3.2.7) with a code made for it: "repeat the last byte 258 times" takes two bits, both
/// zero, so that each zero byte unfolds to 1032.
enum GzipBomb {
  private static let zeros = 1 << 20
  /// The gzip header, the block's codes, one literal zero, and the first repetitions.
  private static let start: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0xFF,
    0xED, 0xC0, 0x81, 0, 0, 0, 0, 0x80, 0xA0, 0xFD, 0xA9, 0x17, 0xA9, 0,
  ]
  /// The end of the block, the CRC-32 of 1 082 131 465 zeros, and their number.
  private static let end: [UInt8] = [0x06, 0x0B, 0x01, 0x40, 0x36, 0x09, 0x04, 0x80, 0x40]

  /// How many bytes it has.
  static let count = start.count + zeros + end.count

  private static let bytes = start + [UInt8](repeating: 0, count: zeros) + end

  /// The steps that send it.
  static var steps: [AnswerScript.Step] { [.send(bytes)] }
}
