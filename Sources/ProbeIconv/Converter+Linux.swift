internal import Glibc

/// A conversion of text from one charset to UTF-8, through iconv(3) of the C library.
///
/// The name of the charset is a literal of this program, never what a server sent: converters that nobody uses have
/// had overflows (CVE-2024-2961 in ISO-2022-CN-EXT, CVE-2021-3326 in ISO-2022-JP-3), and a name may ask for more than
/// a charset, such as `//TRANSLIT`.
///
/// glibc looks for its converters where the environment variable `GCONV_PATH` says, unless the program runs with more
/// rights than its caller. Whoever sets the environment of a process can do the same with `LD_PRELOAD`, so nothing is
/// gained by taking the variable away, and taking it away would not be safe beside other threads.
@safe
package struct Converter: ~Copyable {
  private let descriptor: iconv_t

  /// A conversion from a charset by the C library's name of it; nil when this machine has no converter for it.
  package init?(from charset: ConverterName) {
    guard let descriptor = unsafe iconv_open("UTF-8", charset.text),
      unsafe descriptor != iconv_t(bitPattern: -1)
    else { return nil }
    unsafe self.descriptor = unsafe descriptor
  }

  deinit {
    unsafe iconv_close(descriptor)
  }

  /// Converts a text as a whole.
  ///
  /// Each byte that begins nothing valid becomes U+FFFD, as does a sequence that the end of the bytes cuts; reading
  /// goes on behind it. Work is linear, and the text takes three times the bytes at most.
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
      // The bytes that are left are the start of a sequence.
      if error == EINVAL { break }
      unsafe next = next.map { unsafe $0 + 1 }
      left -= 1
    }
    // What a converter holds back to see whether a combining character follows.
    var free = room.count
    var end = room.baseAddress
    unsafe iconv(descriptor, nil, nil, &end, &free)
    unsafe text.append(contentsOf: UnsafeRawBufferPointer(room).prefix(room.count - free))
  }
}

/// The C library's name of a charset: a literal of this program, and nothing else can be one.
package struct ConverterName: Hashable, Sendable, ExpressibleByStringLiteral {
  fileprivate let text: String

  /// The name that a literal is.
  package init(stringLiteral name: StaticString) {
    text = String(describing: name)
  }
}
