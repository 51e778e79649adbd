internal import ProbeCodecs
internal import ProbeHTTPWire
internal import ProbeCore

/// Decodes the content codings of a body as its bytes are received (RFC 9110 §8.4); no I/O.
///
/// A truncated body is decoded up to its end, trailing bytes are reported but ignored, and a body with an unknown
/// coding is left as received, as in browsers. Of gzip, every member is decoded and its checksums compared (RFC 1952
/// §2.2, §2.3.1), as in most other programs; browsers decode the first member only and ignore its checksums.
///
/// Memory and the work for each byte are bounded for any input. The caller must limit the number of bytes,
/// because bytes that decode to nothing never reach the limit. Copies share the decoding state, so use one
/// decoder for each body.
struct ContentDecoder {
  enum Coding: String, Hashable, CaseIterable, Sendable {
    case gzip, deflate
    case brotli = "br"
    case zstd
  }

  /// The reason why a body cannot be decoded.
  enum CodingError: Error, Hashable, CustomStringConvertible {
    /// The bytes are not in this coding, or become invalid.
    case broken(Coding)
    /// There are more codings than any server uses.
    case tooManyCodings(Int)
    /// The output of a coding inside others exceeds its limit.
    case tooLarge(Coding)
    /// The checksum or the length at the end of gzip data is wrong.
    case wrongChecksum
    /// The ratio of decoded to encoded size exceeds its limit.
    case bomb
    /// The machine does not have enough memory.
    case noMemory(Coding)

    var description: String {
      switch self {
      case .broken(let coding): "the body's \(coding.rawValue) coding is broken"
      case .wrongChecksum: "the checksum of the body's gzip coding is wrong"
      case .tooManyCodings(let count):
        "the body has \(count) content codings, and at most \(ContentDecoder.maximumCodings) are undone"
      case .tooLarge(let coding): "the body's inner \(coding.rawValue) coding unpacks to too much"
      case .bomb: "the body unpacks to more than 2 000 times its size"
      case .noMemory(let coding): "there is not enough memory to decode the body's \(coding.rawValue) coding"
      }
    }
  }

  /// A peculiarity of a body that was decoded nevertheless.
  enum Finding: Hashable, Sendable, CustomStringConvertible {
    /// Nothing was decoded, because this coding is not supported.
    case unknownCoding(String)
    /// The encoded data ends prematurely.
    case cutShort(Coding)
    /// The checksum or the length at the end of gzip data is wrong, which browsers ignore.
    case wrongChecksum
    /// Bytes follow the end of the encoded data.
    case trailingBytes(Coding)

    var description: String {
      switch self {
      case .unknownCoding(let name):
        "the body has the unknown content coding \(Excerpt(name)), and was not decoded"
      case .cutShort(let coding): "the body's \(coding.rawValue) coding is cut short"
      case .wrongChecksum: "the checksum of the body's gzip coding is wrong"
      case .trailingBytes(let coding): "bytes follow the end of the body's \(coding.rawValue) coding"
      }
    }
  }

  /// Whether more of the body is needed.
  enum Progress: Hashable, Sendable {
    case resume
    /// The decoded body is longer than the limit, and was truncated there.
    case limitReached
  }

  /// The maximum number of codings of one body.
  static let maximumCodings = 5
  /// The maximum ratio of decoded to encoded size, beyond ``usualSize``; zeros in gzip reach about 1 000.
  static let maximumRatio = 2000
  /// The decoded size that is allowed for an encoded body of any size.
  static let usualSize = 1 << 20
  /// The size allowed for data that is still encoded, in addition to two bytes for each byte of the limit.
  static let innerSize = 64 * 1024

  /// A coding and its decoding state.
  private struct Layer {
    let coding: Coding
    /// Nil before the first byte.
    var unpacker: (any Unpacker)?
    /// The buffer for decoded pieces.
    var room: [UInt8] = []
    var unpackedCount = 0
    var hasEnded = false
  }

  private let limit: Int
  private let isAsBrowsers: Bool
  /// The codings in the order of decoding; each decodes the output of the previous one.
  private var layers: [Layer] = []
  private var codedCount = 0
  private var codingError: CodingError?
  private var isFull = false
  /// The peculiarities found, each once.
  private(set) var findings: [Finding] = []

  /// Creates a decoder for one body.
  ///
  /// - Parameters:
  ///   - codings: The codings of all Content-Encoding fields in order, in lower case.
  ///   - limit: The maximum number of bytes of decoded body to keep.
  ///   - isAsBrowsers: Whether gzip is decoded as in browsers.
  init(_ codings: [String], limit: Int, isAsBrowsers: Bool = false) {
    self.isAsBrowsers = isAsBrowsers
    self.limit = min(max(limit, 0), 1 << 48)
    for word in codings.reversed() where !word.isEmpty && word != "identity" {
      guard let coding = Coding(word: word) else {
        (layers, findings) = ([], [.unknownCoding(word)])
        return
      }
      layers.append(Layer(coding: coding))
    }
    if layers.count > Self.maximumCodings { codingError = .tooManyCodings(layers.count) }
  }

  /// Decodes a piece of the coded body.
  ///
  /// - Parameters:
  ///   - bytes: The piece.
  ///   - body: The decoded body so far, to which the decoded data is appended, even if this method throws.
  /// - Returns: Whether more is needed.
  /// - Throws: ``CodingError`` if the body cannot be decoded any further.
  mutating func take(_ bytes: Span<UInt8>, into body: inout [UInt8]) throws(CodingError) -> Progress {
    if bytes.isEmpty { return isFull ? .limitReached : .resume }
    if let codingError { throw codingError }
    do throws(CodingError) {
      if !isFull { isFull = try decode(bytes, by: 0, into: &body) == .limitReached }
    } catch {
      codingError = error
      throw error
    }
    return isFull ? .limitReached : .resume
  }

  /// Handles the end of the encoded body, and completes ``findings``.
  mutating func end() {
    if isFull || codingError != nil { return }
    for layer in layers where !layer.hasEnded {
      if let gzip = layer.unpacker as? GzipFile, gzip.hasTrailingBytes { note(.trailingBytes(.gzip)) }
    }
    // Codings inside a truncated one are truncated too.
    if let cut = layers.first(where: { !$0.hasEnded && $0.unpacker?.isWhole == false }) {
      findings.append(.cutShort(cut.coding))
    }
  }

  /// Decodes data with the layers from this index on.
  private mutating func decode(
    _ bytes: Span<UInt8>, by index: Int, into body: inout [UInt8]
  ) throws(CodingError) -> Progress {
    guard index < layers.count else { return append(bytes, to: &body) }
    if bytes.isEmpty { return .resume }
    let unpacker = try unpacker(of: index)
    // Swap the buffer out, so that it is modified in place.
    var room: [UInt8] = []
    swap(&room, &layers[index].room)
    defer { swap(&room, &layers[index].room) }
    var offset = 0
    while !layers[index].hasEnded {
      let start = offset
      let (count, state) = unpacker.unpack(bytes, &offset, into: &room)
      if index == 0 { codedCount += offset - start }
      let (allowed, excess) = allowance(of: index)
      let kept = min(count, allowed)
      layers[index].unpackedCount += kept
      if try decode(room.span.extracting(0..<kept), by: index + 1, into: &body) == .limitReached {
        return .limitReached
      }
      if kept < count {
        // A body that has reached its limit is truncated, regardless of further data.
        if index == layers.count - 1, body.count >= limit { return .limitReached }
        throw excess
      }
      switch state {
      case .running: if offset == bytes.count, count < room.count { return .resume }
      case .ended:
        layers[index].hasEnded = true
        if let gzip = unpacker as? Inflater, gzip.hasWrongChecksum { note(.wrongChecksum) }
      case .broken where (unpacker as? GzipFile)?.hasWrongChecksum == true: throw .wrongChecksum
      case .broken: throw .broken(layers[index].coding)
      case .noMemory: throw .noMemory(layers[index].coding)
      }
    }
    if offset < bytes.count { note(.trailingBytes(layers[index].coding)) }
    return .resume
  }

  private mutating func note(_ finding: Finding) {
    if !findings.contains(finding) { findings.append(finding) }
  }

  private mutating func unpacker(of index: Int) throws(CodingError) -> any Unpacker {
    if let unpacker = layers[index].unpacker { return unpacker }
    let coding = layers[index].coding
    guard let unpacker = coding.unpacker(isAsBrowsers: isAsBrowsers) else { throw .noMemory(coding) }
    layers[index].unpacker = unpacker
    layers[index].room = [UInt8](repeating: 0, count: 32 * 1024)
    return unpacker
  }

  /// The number of further bytes that a layer may output, and the error if it exceeds them.
  private func allowance(of index: Int) -> (count: Int, excess: CodingError) {
    let byRatio = max(Self.usualSize, Self.maximumRatio * codedCount)
    let inside = index + 1 < layers.count ? Self.innerSize + 2 * limit : .max
    let excess: CodingError = inside < byRatio ? .tooLarge(layers[index].coding) : .bomb
    return (min(byRatio, inside) - layers[index].unpackedCount, excess)
  }

  private func append(_ bytes: Span<UInt8>, to body: inout [UInt8]) -> Progress {
    let count = min(bytes.count, max(0, limit - body.count))
    body.append(bytes, 0..<count)
    return count < bytes.count ? .limitReached : .resume
  }
}

extension ContentDecoder.Coding {
  /// The coding with this name in Content-Encoding.
  fileprivate init?(word: String) {
    self.init(rawValue: word == "x-gzip" ? "gzip" : word)
  }

  /// A decoder for the coding; nil if there is not enough memory.
  fileprivate func unpacker(isAsBrowsers: Bool) -> (any Unpacker)? {
    switch self {
    case .gzip: if isAsBrowsers { Inflater(.gzip, checksHead: false) } else { GzipFile() }
    case .deflate: Inflater(.deflate)
    case .brotli: BrotliDecoder()
    case .zstd: ZstdDecoder()
    }
  }
}
