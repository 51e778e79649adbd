internal import Glibc

/// Converts text from a charset to UTF-8, with iconv(3) of the C library.
///
/// The name of the charset is a literal of this program, never one received from a server: rarely used
/// converters have had overflows (CVE-2024-2961 in ISO-2022-CN-EXT, CVE-2021-3326 in ISO-2022-JP-3), and a
/// name may contain more than a charset, such as `//TRANSLIT`.
///
/// glibc searches for converters in the path of the environment variable `GCONV_PATH`, unless the program
/// runs with more privileges than its caller. Anyone who controls the environment of a process can do the
/// same with `LD_PRELOAD`, so removing the variable would gain nothing, and would not be safe with other
/// threads.
@safe
package struct Converter: ~Copyable {
  private let descriptor: iconv_t

  /// A converter from a charset, named as in the C library; nil if this machine does not have it.
  package init?(from charset: ConverterName) {
    guard let descriptor = unsafe iconv_open("UTF-8", charset.text),
      unsafe descriptor != iconv_t(bitPattern: -1)
    else { return nil }
    unsafe self.descriptor = unsafe descriptor
  }

  deinit {
    unsafe iconv_close(descriptor)
  }

  /// Converts a whole text.
  ///
  /// Each invalid byte becomes U+FFFD, as does a truncated sequence at the end; the conversion continues
  /// after it. The work is linear, and the result has at most three times as many bytes.
  ///
  /// - Parameter bytes: The text in its charset.
  /// - Returns: The text in UTF-8.
  package mutating func convert(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    unsafe iconv(descriptor, nil, nil, nil, nil)
    unsafe bytes.withUnsafeBytes { input in
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 8 * 1024) { room in
        unsafe convert(input, through: room, into: &text)
      }
    }
    return text
  }

  private func convert(
    _ input: UnsafeRawBufferPointer, through room: UnsafeMutableBufferPointer<CChar>, into text: inout [UInt8]
  ) {
    // The library takes the input as mutable for historical reasons and does not write to it.
    var next = unsafe UnsafeMutableRawPointer(mutating: input.baseAddress)?.assumingMemoryBound(
      to: CChar.self)
    var left = input.count
    while left > 0 {
      let before = left
      var free = room.count
      var end = room.baseAddress
      let result = unsafe iconv(descriptor, &next, &left, &end, &free)
      let error = errno
      unsafe text.append(contentsOf: UnsafeRawBufferPointer(room).prefix(room.count - free))
      guard result == -1 else { break }
      let progress = left < before || free < room.count
      if error == E2BIG, progress { continue }
      text.append(contentsOf: "\u{FFFD}".utf8)
      // The remaining bytes are an incomplete sequence.
      if error == EINVAL { break }
      unsafe next = next.map { unsafe $0 + 1 }
      left -= 1
    }
    // Flushes what a converter holds back in case a combining character follows.
    var free = room.count
    var end = room.baseAddress
    unsafe iconv(descriptor, nil, nil, &end, &free)
    unsafe text.append(contentsOf: UnsafeRawBufferPointer(room).prefix(room.count - free))
  }
}

/// The C library's name of a charset, which can only be a literal of this program.
package struct ConverterName: Hashable, Sendable, ExpressibleByStringLiteral {
  fileprivate let text: String

  package init(stringLiteral name: StaticString) {
    text = String(describing: name)
  }
}
