public import ProbeCore

/// Collects everything that is wrong in one file while it is examined.
public final class SourceFindings {
  /// The file.
  public let file: SourceFile
  private struct Found: Hashable {
    var offset: Int
    var message: String
    var remedy: String?
  }

  /// How many findings are told of one file.
  static let limit = 1000

  private var found: [Found] = []

  /// Nothing found in a file yet.
  public init(_ file: SourceFile) {
    self.file = file
  }

  /// Whether nothing is wrong so far.
  public var isEmpty: Bool { found.isEmpty }
  /// How much was found so far.
  public var count: Int { found.count }

  /// What was found, in the order of the places, each once; of more than a thousand the first.
  public var all: [SourceFinding] {
    var seen: Set<Found> = []
    let sorted = found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    let unique = sorted.map(\.element).filter { seen.insert($0).inserted }
    var findings = unique.prefix(Self.limit).map { found in
      SourceFinding(in: file, at: found.offset, message: found.message, remedy: found.remedy)
    }
    if unique.count > Self.limit {
      let more = "\(unique.count - Self.limit) more mistakes are not told"
      findings.append(SourceFinding(in: file, at: unique[Self.limit].offset, message: more))
    }
    return findings
  }

  /// Tells of something at a place.
  ///
  /// - Parameters:
  ///   - message: What is wrong, one line, safe to show.
  ///   - remedy: The way out.
  ///   - offset: The place in bytes from the start of the file.
  public func add(_ message: String, remedy: String? = nil, at offset: Int) {
    found.append(Found(offset: offset, message: message, remedy: remedy))
  }

  /// Tells of something that is wrong with a value.
  public func add(_ message: String, remedy: String? = nil, at node: SourceNode) {
    add(message, remedy: remedy, at: node.span.lowerBound)
  }

  /// Tells what is wrong with a scalar; the mistake's own place is pointed at where the text stands in the file as it is.
  public func add(_ mistake: InvalidInput, at node: SourceNode) {
    let inside = mistake.offset.flatMap { node.place(ofTextByte: $0, in: file) }
    add(mistake.message, remedy: mistake.remedy, at: inside ?? node.span.lowerBound)
  }
}
