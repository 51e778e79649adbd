internal import ProbeCore

/// Parses a YAML or JSON file into a value with locations.
package enum SourceDocument {
  /// Limits on the size of a file; no hand-written file exceeds them.
  package struct Limits: Hashable, Sendable {
    /// The maximum size in bytes.
    package var bytes = 1 << 20
    /// The maximum nesting depth.
    package var depth = 64
    /// The maximum number of values; the target of an alias counts each time.
    package var nodes = 100_000

    package init() {}
  }

  /// Parses the value in a file.
  ///
  /// - Parameters:
  ///   - findings: The file; receives all syntax errors.
  ///   - limits: The limits on the size of the file.
  /// - Returns: The part that could be parsed; nil if there is none.
  package static func read(_ findings: SourceFindings, limits: Limits = Limits()) -> SourceNode? {
    read(findings, limits: limits, dialect: .strict)
  }

  /// The YAML syntax that a file may use.
  package enum Dialect: Hashable, Sendable {
    /// The syntax of this project's own files: forms that are hardly ever intended are errors.
    case strict
    /// The syntax that other programs accept too: merge keys, `!!binary`, tabs, and commas without a space.
    case common
  }

  /// Parses the value in a file of this or another program.
  package static func read(
    _ findings: SourceFindings, limits: Limits = Limits(), dialect: Dialect
  ) -> SourceNode? {
    let file = findings.file
    guard file.bytes.count <= limits.bytes else {
      findings.add(
        "the file has \(file.bytes.count) bytes, more than \(limits.bytes)",
        remedy: "check that it is the right file",
        at: 0)
      return nil
    }
    if let offset = tooManyDirectives(in: file.bytes) {
      findings.add("too many lines that start with %", remedy: "remove them", at: offset)
      return nil
    }
    let pairs = SurrogatePairs(file.bytes)
    var builder = DocumentBuilder(findings, pairs: pairs, limits: limits, dialect: dialect)
    do throws(YAMLError) {
      let parser = try YAMLParser(pairs.bytes)
      while let event = try parser.next() {
        guard builder.take(event) else { break }
      }
    } catch {
      let mistake = SyntaxError(error, in: file)
      builder.breakOff(at: error.mark.offset)
      findings.add(mistake.message, remedy: mistake.remedy, at: mistake.offset)
    }
    let root = builder.finish()
    findings.reading = (root, isWhole: findings.isEmpty)
    if root == nil, findings.isEmpty { findings.add("the file is empty", at: 0) }
    return root
  }

  /// The offset at which there are too many directives (YAML 1.1 §4.3), or nil; the parser compares each with
  /// every other.
  private static func tooManyDirectives(in bytes: [UInt8]) -> Int? {
    let maximum = 100
    var count = 0
    var isLineStart = true
    for (offset, byte) in bytes.enumerated() {
      if isLineStart, byte == UInt8(ascii: "%") {
        count += 1
        if count > maximum { return offset }
      } else if isLineStart, byte == UInt8(ascii: "-") {
        // The document starts here; there are no directives after this.
        return nil
      }
      isLineStart = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
    return nil
  }
}
