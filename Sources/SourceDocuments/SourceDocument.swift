internal import ProbeCore
internal import ProbeYAML

/// Reads a file in YAML or JSON into a value with places.
public enum SourceDocument {
  /// How much of a file is read at most; nobody writes more by hand.
  public struct Limits: Hashable, Sendable {
    /// How many bytes a file may have.
    public var bytes = 1 << 20
    /// How deep values may stand in one another.
    public var depth = 64
    /// How many values there may be, those used by the name of their anchor counted each time.
    public var nodes = 100_000

    /// The usual limits.
    public init() {}
  }

  /// The value that a file holds.
  ///
  /// - Parameters:
  ///   - findings: The file; everything that is wrong with its form is added.
  ///   - limits: How much is read at most.
  /// - Returns: What could be read; nil when there is nothing.
  public static func read(_ findings: SourceFindings, limits: Limits = Limits()) -> SourceNode? {
    let file = findings.file
    guard file.bytes.count <= limits.bytes else {
      findings.add(
        "the file has \(file.bytes.count) bytes, more than \(limits.bytes)", remedy: "is it the right one?",
        at: 0)
      return nil
    }
    if let place = tooManyDirectives(in: file.bytes) {
      findings.add("too many lines that start with %", remedy: "remove them", at: place)
      return nil
    }
    let pairs = SurrogatePairs(file.bytes)
    var builder = DocumentBuilder(findings, pairs: pairs, limits: limits)
    do throws(YAMLError) {
      let parser = try YAMLParser(pairs.bytes)
      while let event = try parser.next() {
        guard builder.take(event) else { break }
      }
    } catch {
      let mistake = SyntaxMistake(error, in: file)
      builder.breakOff(at: error.mark.offset)
      findings.add(mistake.message, remedy: mistake.remedy, at: mistake.offset)
    }
    let root = builder.finish()
    findings.reading = (root, isWhole: findings.isEmpty)
    if root == nil, findings.isEmpty { findings.add("the file is empty", at: 0) }
    return root
  }

  /// Where directives (YAML 1.1 §4.3) are too many, or nil: the parser compares each of them with every other.
  private static func tooManyDirectives(in bytes: [UInt8]) -> Int? {
    let most = 100
    var count = 0
    var isLineStart = true
    for (place, byte) in bytes.enumerated() {
      if isLineStart, byte == UInt8(ascii: "%") {
        count += 1
        if count > most { return place }
      } else if isLineStart, byte == UInt8(ascii: "-") {
        // The document starts here; what comes behind it are values.
        return nil
      }
      isLineStart = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
    return nil
  }
}
