internal import ProbeJSON
internal import ProbePipeline
package import ProbeCore

/// A line of the input of a scan: what to probe, and what its result repeats.
package struct ScanLine: Sendable {
  /// The identifier of a line in the input.
  package enum ID: Hashable, Sendable {
    case text(String)
    case number(Int)
  }

  /// The number of the line in the input, from 1.
  package var number: Int
  /// The number of its part of the input, from 0.
  package var part = 0
  /// The name that the input gives it; nil for none.
  package var id: ID?
  /// The URL as the input has it, or an excerpt of a line that cannot be read.
  package var url: String
  /// The URL, or the reason why the line cannot be probed.
  package var target: Result<ProbeURL, InvalidInput>
  /// The set of the pipeline to probe it with; nil for the first one.
  package var set: String?
  /// Its labels, in addition to those of the set.
  package var labels: [String: String] = [:]

  /// The host whose limit holds, without a dot at its end, which makes no difference; nil for a line without a URL.
  package var host: String? {
    guard case .success(let url) = target else { return nil }
    return url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
  }

  /// The approximate number of bytes that it keeps in memory.
  var size: Int {
    var size = 2 * url.utf8.count + (set?.utf8.count ?? 0)
    if case .text(let text)? = id { size += text.utf8.count }
    for (name, label) in labels { size += name.utf8.count + label.utf8.count }
    return size
  }
}

extension ScanLine {
  /// Checks the name of a label.
  ///
  /// - Throws: `InvalidInput` with the reason.
  static func checkLabel(_ name: String) throws(InvalidInput) {
    try LabelName.check(name)
  }
}

/// Parses a line of the input of a scan: a URL, or a JSON object.
enum ScanLineParser {
  private static let parser = JSONParser(maximumLength: ScanReader.maximumLineLength, maximumDepth: 8)
  private static let fields = ["id", "url", "set", "labels"]

  /// Parses a line; a line that cannot be probed contains the reason.
  ///
  /// - Parameters:
  ///   - text: The line, without surrounding white space.
  ///   - number: The line number, from 1.
  ///   - isTooLong: Whether this is only the beginning of the line.
  /// - Returns: The line.
  static func line(_ text: ArraySlice<UInt8>, number: Int, isTooLong: Bool = false) -> ScanLine {
    if isTooLong {
      let problem = InvalidInput(
        "the line is longer than \(ScanReader.maximumLineLength >> 10) KiB",
        remedy: "write one URL or JSON object on each line")
      return ScanLine(number: number, url: URLList.shown(text), target: .failure(problem))
    }
    guard text.first == UInt8(ascii: "{") else {
      let (url, target) = URLList.url(text)
      return ScanLine(number: number, url: url, target: target)
    }
    var line = ScanLine(number: number, url: URLList.shown(text), target: .failure(InvalidInput("")))
    do throws(InvalidInput) {
      try read(text, into: &line)
    } catch {
      line.target = .failure(error)
    }
    return line
  }

  private static func read(_ text: ArraySlice<UInt8>, into line: inout ScanLine) throws(InvalidInput) {
    let value: JSONValue
    do throws(JSONError) { value = try parser.value(of: Array(text)) } catch {
      throw InvalidInput("the line is not valid JSON: \(Excerpt(error.problem)) at column \(error.column)")
    }
    guard case .object(let members) = value else {
      throw InvalidInput("the line is not a JSON object")
    }
    // Parse the id first, because a result without it cannot be matched to its line.
    line.id = try members.first { $0.name == "id" }.flatMap { member throws(InvalidInput) in
      try id(member.value)
    }
    for member in members where !fields.contains(member.name) {
      let nearest = nearestName(to: member.name, among: fields).map { "did you mean \($0)?" }
      throw InvalidInput(
        "\(Excerpt(member.name)) is not a field of a line",
        remedy: nearest ?? "put other data under labels, or leave it out")
    }
    for member in members {
      switch (member.name, member.value) {
      case ("id", _): break
      case ("url", .string(let url)): (line.url, line.target) = URLList.url(Array(url.utf8)[...])
      case ("set", .string(let set)): line.set = set
      case ("set", .null), ("labels", .null): break
      case ("labels", .object(let labels)): line.labels = try Self.labels(labels)
      default:
        throw InvalidInput(
          "the field \(member.name) has the wrong type",
          remedy: member.name == "labels" ? "give an object of texts" : "give a text")
      }
    }
    guard members.contains(where: { $0.name == "url" }) else {
      throw InvalidInput("the field url is missing")
    }
  }

  private static func id(_ value: JSONValue) throws(InvalidInput) -> ScanLine.ID? {
    switch value {
    case .string(let text): return .text(text)
    case .integer(let number): return .number(number)
    case .null: return nil
    default:
      throw InvalidInput("the id is neither a text nor a whole number of up to 64 bits")
    }
  }

  private static func labels(_ members: [JSONValue.Member]) throws(InvalidInput) -> [String: String] {
    var labels: [String: String] = [:]
    for member in members {
      guard case .string(let text) = member.value else {
        throw InvalidInput("the label \(Excerpt(member.name)) is not a text")
      }
      try ScanLine.checkLabel(member.name)
      labels[member.name] = text
    }
    return labels
  }
}
