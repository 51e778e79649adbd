internal import ProbeBrotli
internal import ProbeHTTPWire
internal import ProbeCore
internal import ProbeUnpacking
internal import ProbeZlib
internal import ProbeZstd

/// Undoes the content codings of a body as its bytes come (RFC 9110 §8.4); no I/O.
///
/// It reads as browsers do: what is cut short counts as far as it goes, a wrong checksum and bytes behind the end are
/// told and do no harm, and a body in a coding that nobody knows is left as it is. Memory is bounded whatever the bytes
/// are, and so is the work for each of them; how many come is not its matter, and those that unpack to nothing never
/// reach the limit. A copy shares what is being unpacked: one body has one decoder.
struct ContentDecoder {
  /// A coding that is undone.
  enum Coding: String, Hashable, CaseIterable, Sendable {
    case gzip, deflate
    case brotli = "br"
    case zstd
  }

  /// Why a body cannot be decoded.
  enum Fault: Error, Hashable, CustomStringConvertible {
    /// The bytes are no such coding, or break in the middle.
    case broken(Coding)
    /// There are more codings than anybody uses.
    case tooManyCodings(Int)
    /// A coding below others unpacks to more than its bound.
    case tooLarge(Coding)
    /// A few bytes unpack to very many.
    case bomb
    /// The machine has no memory for it.
    case noMemory(Coding)

    var description: String {
      switch self {
      case .broken(let coding): "the body's \(coding.rawValue) coding is broken"
      case .tooManyCodings(let count):
        "the body has \(count) content codings, and at most \(ContentDecoder.maximumCodings) are undone"
      case .tooLarge(let coding): "the body's inner \(coding.rawValue) coding unpacks to too much"
      case .bomb: "the body unpacks to more than 2 000 times its size"
      case .noMemory(let coding): "there is no memory to undo the body's \(coding.rawValue) coding"
      }
    }
  }

  /// What is odd about a body that was decoded nevertheless.
  enum Finding: Hashable, Sendable, CustomStringConvertible {
    /// Nothing was decoded, because nobody knows this coding.
    case unknownCoding(String)
    /// The coding ends before it is whole.
    case cutShort(Coding)
    /// The checksum or the length at the end of gzip is another one.
    case wrongChecksum
    /// Bytes follow the end of the coding.
    case bytesBehind(Coding)

    var description: String {
      switch self {
      case .unknownCoding(let name):
        "the body has the unknown content coding \(Excerpt(name)), and was not decoded"
      case .cutShort(let coding): "the body's \(coding.rawValue) coding is cut short"
      case .wrongChecksum: "the checksum of the body's gzip coding is wrong"
      case .bytesBehind(let coding): "bytes follow the end of the body's \(coding.rawValue) coding"
      }
    }
  }

  /// Whether more of the body is wanted.
  enum Progress: Hashable, Sendable {
    case goOn
    /// The decoded body is longer than the limit, and was cut there.
    case limitReached
  }

  /// How many codings of one body are undone.
  static let maximumCodings = 5
  /// How many times its bytes a body may become, beyond ``usualSize``; zeros in gzip become some 1 000 times theirs.
  static let maximumRatio = 2000
  /// How large a body may become however few its bytes are.
  static let usualSize = 1 << 20
  /// How many bytes what still has codings may have, beside two for each byte of the limit.
  static let innerSize = 64 * 1024

  /// A coding that is being undone.
  private struct Layer {
    let coding: Coding
    /// Nil before its first byte.
    var unpacker: (any Unpacker)?
    /// Where the pieces go that it unpacks.
    var room: [UInt8] = []
    var unpackedCount = 0
    var hasEnded = false
  }

  private let limit: Int
  /// What is undone, in the order of that: each gets what the one before it has unpacked.
  private var layers: [Layer] = []
  private var codedCount = 0
  private var fault: Fault?
  private var isFull = false
  /// What was odd, each fact once.
  private(set) var findings: [Finding] = []

  /// A decoder for one body.
  ///
  /// - Parameters:
  ///   - codings: The words of all Content-Encoding fields in their order, in lower case.
  ///   - limit: How many bytes of decoded body are kept at most.
  init(_ codings: [String], limit: Int) {
    self.limit = min(max(limit, 0), 1 << 48)
    for word in codings.reversed() where !word.isEmpty && word != "identity" {
      guard let coding = Coding(word: word) else {
        (layers, findings) = ([], [.unknownCoding(word)])
        return
      }
      layers.append(Layer(coding: coding))
    }
    if layers.count > Self.maximumCodings { fault = .tooManyCodings(layers.count) }
  }

  /// Decodes a piece of the coded body.
  ///
  /// - Parameters:
  ///   - bytes: The piece.
  ///   - body: The decoded body so far; what is decoded is added, also when this throws.
  /// - Returns: Whether more is wanted.
  /// - Throws: ``Fault`` when the body cannot be decoded any further.
  mutating func take(_ bytes: Span<UInt8>, into body: inout [UInt8]) throws(Fault) -> Progress {
    if bytes.isEmpty { return isFull ? .limitReached : .goOn }
    if let fault { throw fault }
    do throws(Fault) {
      if !isFull { isFull = try decode(bytes, by: 0, into: &body) == .limitReached }
    } catch {
      fault = error
      throw error
    }
    return isFull ? .limitReached : .goOn
  }

  /// The coded body has ended; what is odd about that is among the ``findings`` then.
  mutating func end() {
    if isFull || fault != nil { return }
    // What is inside of one that is cut short is cut short as well.
    if let cut = layers.first(where: { !$0.hasEnded && $0.unpacker?.isWhole == false }) {
      findings.append(.cutShort(cut.coding))
    }
  }

  /// Undoes the layers from this one on.
  private mutating func decode(
    _ bytes: Span<UInt8>, by index: Int, into body: inout [UInt8]
  ) throws(Fault) -> Progress {
    guard index < layers.count else { return append(bytes, to: &body) }
    if bytes.isEmpty { return .goOn }
    let unpacker = try unpacker(of: index)
    // Taken out, so that it is changed in its place.
    var room: [UInt8] = []
    swap(&room, &layers[index].room)
    defer { swap(&room, &layers[index].room) }
    var place = 0
    while !layers[index].hasEnded {
      let start = place
      let (count, state) = unpacker.unpack(bytes, &place, into: &room)
      if index == 0 { codedCount += place - start }
      let (allowed, excess) = allowance(of: index)
      let kept = min(count, allowed)
      layers[index].unpackedCount += kept
      if try decode(room.span.extracting(0..<kept), by: index + 1, into: &body) == .limitReached {
        return .limitReached
      }
      if kept < count {
        // A body that is full is cut, whatever else it would become.
        if index == layers.count - 1, body.count >= limit { return .limitReached }
        throw excess
      }
      switch state {
      case .going: if place == bytes.count, count < room.count { return .goOn }
      case .ended:
        layers[index].hasEnded = true
        if let gzip = unpacker as? Inflater, gzip.hasWrongChecksum { note(.wrongChecksum) }
      case .broken: throw .broken(layers[index].coding)
      case .noMemory: throw .noMemory(layers[index].coding)
      }
    }
    if place < bytes.count { note(.bytesBehind(layers[index].coding)) }
    return .goOn
  }

  private mutating func note(_ finding: Finding) {
    if !findings.contains(finding) { findings.append(finding) }
  }

  private mutating func unpacker(of index: Int) throws(Fault) -> any Unpacker {
    if let unpacker = layers[index].unpacker { return unpacker }
    let coding = layers[index].coding
    guard let unpacker = coding.unpacker else { throw .noMemory(coding) }
    layers[index].unpacker = unpacker
    layers[index].room = [UInt8](repeating: 0, count: 32 * 1024)
    return unpacker
  }

  /// How many bytes more a layer may unpack, and what it is when those are too few.
  private func allowance(of index: Int) -> (count: Int, excess: Fault) {
    let byRatio = max(Self.usualSize, Self.maximumRatio * codedCount)
    let inside = index + 1 < layers.count ? Self.innerSize + 2 * limit : .max
    let excess: Fault = inside < byRatio ? .tooLarge(layers[index].coding) : .bomb
    return (min(byRatio, inside) - layers[index].unpackedCount, excess)
  }

  private func append(_ bytes: Span<UInt8>, to body: inout [UInt8]) -> Progress {
    let count = min(bytes.count, max(0, limit - body.count))
    body.append(bytes, 0..<count)
    return count < bytes.count ? .limitReached : .goOn
  }
}

extension ContentDecoder.Coding {
  /// The coding of a name in Content-Encoding.
  fileprivate init?(word: String) {
    self.init(rawValue: word == "x-gzip" ? "gzip" : word)
  }

  /// What undoes it; nil when the machine has no memory for that.
  fileprivate var unpacker: (any Unpacker)? {
    switch self {
    case .gzip: Inflater(.gzip)
    case .deflate: Inflater(.deflate)
    case .brotli: BrotliDecoder()
    case .zstd: ZstdDecoder()
    }
  }
}
