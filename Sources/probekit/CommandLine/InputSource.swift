public import ProbeCore
import Synchronization

/// Where a command reads what `-` stands for: standard input, or memory.
public struct InputSource: Sendable {
  private let read: @Sendable () throws(InvalidInput) -> [UInt8]

  /// A source over a function that gives the next bytes, and none at the end.
  public init(read: @escaping @Sendable () throws(InvalidInput) -> [UInt8]) {
    self.read = read
  }

  /// The text and nothing more.
  public init(_ text: String) {
    let bytes = Array(text.utf8)
    let isRead = Atomic(false)
    read = { () throws(InvalidInput) in isRead.exchange(true, ordering: .relaxed) ? [] : bytes }
  }

  /// Everything up to the end.
  ///
  /// - Throws: `InvalidInput` when reading fails, or when there is more than the limit.
  public func readAll(limit: Int = 256 << 20) throws(InvalidInput) -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let next = try read()
      if next.isEmpty { return all }
      all += next
      guard all.count <= limit else {
        throw InvalidInput(
          "standard input has more than \(limit >> 20) MiB", remedy: "give it in several parts")
      }
    }
  }
}

/// One line of an input: its number and what stands in it.
public struct InputLine: Hashable, Sendable {
  /// The number, from 1.
  public var number: Int
  /// The line without white space around it, or nil when it is not valid UTF-8.
  public var text: String?
  /// The line for a message: escaped, without credentials, and cut when long.
  public var excerpt: String

  /// The lines that have something in them and are no comments, which begin with `#`; both LF and CRLF end a line.
  public static func lines(of bytes: [UInt8]) -> [InputLine] {
    var bytes = bytes[...]
    // A byte order mark, as editors of other systems write it.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    var lines: [InputLine] = []
    let parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
      var line = part.drop(while: isSpace)
      while let last = line.last, isSpace(last) { line.removeLast() }
      guard !line.isEmpty, line.first != UInt8(ascii: "#") else { continue }
      let argument = RawArgument(Array(line))
      lines.append(
        InputLine(
          number: index + 1, text: argument.isValid ? argument.text : nil,
          excerpt: Excerpt(argument.text.withoutCredentials).description))
    }
    return lines
  }
}
