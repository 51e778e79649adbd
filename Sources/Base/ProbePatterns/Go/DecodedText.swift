/// Bytes decoded as in Go: each byte that is not part of valid UTF-8 becomes U+FFFD.
struct DecodedText {
  /// The bytes as valid UTF-8.
  let bytes: [UInt8]
  /// The positions of the replaced bytes in ``bytes``, in order.
  private let replaced: [Int]

  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// Decodes bytes.
  init(_ original: [UInt8]) {
    guard (try? UTF8Span(validating: original.span)) == nil else {
      (bytes, replaced) = (original, [])
      return
    }
    var (bytes, replaced): ([UInt8], [Int]) = ([], [])
    bytes.reserveCapacity(original.count + 64)
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = original.makeIterator()
    var index = 0
    decoding: while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar):
        bytes += original[index..<(index + scalar.count)]
        index += scalar.count
      case .error(let length):
        for _ in 0..<length {
          replaced.append(bytes.count)
          bytes += Self.replacement
        }
        index += length
      case .emptyInput:
        break decoding
      }
    }
    (self.bytes, self.replaced) = (bytes, replaced)
  }

  /// The range of the original bytes for a range of ``bytes``.
  func original(_ range: Range<Int>) -> Range<Int> {
    original(range.lowerBound)..<original(range.upperBound)
  }

  private func original(_ position: Int) -> Int {
    var (low, high) = (0, replaced.count)
    while low < high {
      let middle = (low + high) / 2
      if replaced[middle] < position { low = middle + 1 } else { high = middle }
    }
    return position - low * (Self.replacement.count - 1)
  }
}
