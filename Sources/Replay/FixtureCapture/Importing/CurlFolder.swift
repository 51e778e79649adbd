import FixtureReplay
import ProbeBase
import ProbeCore

/// Reads exchanges from a folder in which each file is the output of `curl -i`.
///
/// The URL of a file is given by a line `FILE URL` in `urls.txt`, or else by the file's name: the
/// percent-encoded URL, with or without the extension `.http`, `.resp` or `.txt`. Subfolders and names that
/// begin with a dot are skipped.
struct CurlFolder {
  static let list = "urls.txt"

  private let path: String
  private let files: any FixtureFiles
  private var losses = ImportLosses()
  private var mistakes: [InvalidInput] = []
  private var length = 0

  init(_ path: String, _ files: any FixtureFiles) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.files = files
  }

  /// Reads the folder.
  ///
  /// - Throws: ``InvalidImport`` with all errors in the folder.
  consuming func read() throws(InvalidImport) -> ImportedCapture {
    var exchanges: [RecordedExchange] = []
    for (name, url) in outputs() {
      do throws(InvalidInput) {
        let output = CurlOutput(try bytes(of: name), of: url)
        exchanges += try output.exchanges(&losses)
      } catch {
        mistakes.append(error.located(at: "the file \(Excerpt(name, limit: 200))"))
      }
    }
    guard mistakes.isEmpty else { throw InvalidImport(mistakes) }
    guard !exchanges.isEmpty else {
      throw InvalidImport(
        InvalidInput(
          "the folder contains no files", remedy: "save the output of curl -i in it, one file per response"))
    }
    for loss in [ImportLoss.timings, .addresses, .ending, .sent] { losses.add(loss) }
    losses.add(.method)
    if exchanges.contains(where: { $0.url.scheme == .https }) { losses.add(.tls) }
    return ImportedCapture(exchanges: exchanges, losses: losses.texts, origin: "curl -i")
  }

  /// The files and their URLs: those in the list in its order, then the others by name.
  private mutating func outputs() -> [(name: String, url: ProbeURL)] {
    var names: [String] = []
    do throws(InvalidInput) {
      names = try files.entries(of: path).filter { $0.kind == .file && !$0.name.hasPrefix(".") }
        .map(\.name).sorted()
    } catch {
      mistakes.append(error)
    }
    var outputs: [(name: String, url: ProbeURL)] = []
    var (listed, used): (Set<String>, Set<String>) = ([], [])
    let known = Set(names)
    if names.contains(Self.list) {
      do throws(InvalidInput) {
        for line in CurlURLs.lines(try bytes(of: Self.list, limit: 1 << 20)) {
          listed.formUnion(line.name.map { [$0] } ?? [])
          if let output = output(of: line, among: known, &used) { outputs.append(output) }
        }
      } catch {
        mistakes.append(error.located(at: Self.list))
      }
    }
    for name in names where name != Self.list && !listed.contains(name) {
      do throws(InvalidInput) {
        outputs.append((name, try CurlURLs.url(ofName: name)))
      } catch {
        mistakes.append(error.located(at: "the file \(Excerpt(name, limit: 200))"))
      }
    }
    return outputs
  }

  private mutating func output(
    of line: CurlURLs.Line, among names: Set<String>, _ used: inout Set<String>
  ) -> (name: String, url: ProbeURL)? {
    do throws(InvalidInput) {
      let (name, url) = try line.output()
      guard names.contains(name) else {
        // Only the first errors are reported, and each search takes time for all names.
        let isReported = mistakes.count < InvalidImport.limit
        let nearest = isReported ? nearestName(to: name, among: names.sorted()) : nil
        throw InvalidInput(
          "there is no file \(Excerpt(name, limit: 200)) in the folder",
          remedy: nearest.map { "did you mean \($0.escapedForDisplay)?" })
      }
      guard used.insert(name).inserted else {
        throw InvalidInput("the file \(Excerpt(name, limit: 200)) has two lines", remedy: "remove one")
      }
      return (name, url)
    } catch {
      mistakes.append(error.located(at: "\(Self.list), line \(line.number)"))
      return nil
    }
  }

  /// The bytes of a file; their total is limited.
  private mutating func bytes(
    of name: String, limit: Int = FixtureLoader.maximumFileLength
  ) throws(InvalidInput) -> [UInt8] {
    let bytes = try files.read(FixtureLoader.path(of: name, in: path), limit: limit)
    length += bytes.count
    guard length <= CaptureImport.maximumLength else {
      throw InvalidInput("the files up to this one have more than \(CaptureImport.maximumLength >> 20) MiB")
    }
    return bytes
  }
}

/// Determines the URLs of the files in a folder.
enum CurlURLs {
  /// A line `FILE URL` of a list.
  struct Line {
    /// The line number, counted from 1.
    var number: Int
    var text: String

    private var words: (name: String, url: String)? {
      // A name may contain spaces, a URL does not.
      guard let gap = text.lastIndex(where: { $0 == " " || $0 == "\t" }) else { return nil }
      let name = text[..<gap].trimmingEnd { $0 == " " || $0 == "\t" }
      return name.isEmpty ? nil : (String(name), String(text[text.index(after: gap)...]))
    }

    /// The name of the file, or nil if there is none.
    var name: String? { words?.name }

    /// The name of the file and the URL.
    ///
    /// - Throws: ``InvalidInput`` if one of them is missing.
    func output() throws(InvalidInput) -> (name: String, url: ProbeURL) {
      guard let words else {
        throw InvalidInput(
          "\(Excerpt(text)) is not a file name with a URL",
          remedy: "write it as answer.http http://example.com/")
      }
      return (words.name, try CurlURLs.url(words.url))
    }
  }

  /// The lines of a list, except empty ones and those that begin with `#`.
  static func lines(_ bytes: [UInt8]) -> [Line] {
    let text = String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .map { index, line in
        Line(number: index + 1, text: String(line.trimming(where: \.isWhitespace)))
      }
      .filter { !$0.text.isEmpty && !$0.text.hasPrefix("#") }
  }

  /// The URL that is encoded in a file's name.
  ///
  /// - Throws: ``InvalidInput`` if it is not a URL, or is ambiguous.
  static func url(ofName name: String) throws(InvalidInput) -> ProbeURL {
    let remedy = "add a line with the file name and the URL to \(CurlFolder.list)"
    var encoded = name[...]
    if let suffix = [".http", ".resp", ".txt"].first(where: name.hasSuffix) {
      encoded = name.dropLast(suffix.count)
      let page = encoded.split(separator: "%2F", omittingEmptySubsequences: false).last ?? ""
      // `…%2Fsuccess.txt` may also be a page with that name.
      if suffix == ".txt", !page.isEmpty, !page.contains(".") {
        throw InvalidInput(
          "the .txt at the end of its name can be part of the URL or an extension",
          remedy: "add .http after the URL, or \(remedy)")
      }
    }
    guard let text = decoded(encoded), text.lowercased().hasPrefix("http") else {
      throw InvalidInput("its name is not a percent-encoded URL", remedy: remedy)
    }
    do throws(InvalidInput) {
      return try url(text)
    } catch {
      throw InvalidInput("its name is not a usable URL: \(error.message)", remedy: error.remedy ?? remedy)
    }
  }

  private static func url(_ text: String) throws(InvalidInput) -> ProbeURL {
    let url = try ProbeURL(String(text.prefix { $0 != "#" }))
    guard url.scheme == .http || url.scheme == .https else {
      throw InvalidInput(
        "the URL has the scheme \(Excerpt(url.scheme.name))", remedy: "only http and https can be imported")
    }
    return url
  }

  /// Percent-decodes a name; nil if it has no escapes, or invalid ones.
  private static func decoded(_ name: Substring) -> String? {
    guard name.utf8.contains(UInt8(ascii: "%")) else { return nil }
    return name.utf8.strictlyPercentDecoded().flatMap { String(validating: $0, as: UTF8.self) }
  }
}

/// The output of `curl -i` for one URL: a response, and with `-L` the preceding heads of redirects.
struct CurlOutput {
  private let bytes: [UInt8]
  private let url: ProbeURL

  init(_ bytes: [UInt8], of url: ProbeURL) {
    self.bytes = bytes
    self.url = url
  }

  /// The exchanges, in the order in which they were made.
  ///
  /// - Throws: ``InvalidInput`` if it is not such output.
  func exchanges(_ losses: inout ImportLosses) throws(InvalidInput) -> [RecordedExchange] {
    guard !bytes.isEmpty else {
      throw InvalidInput("it is empty, because curl received no response", remedy: "remove it")
    }
    guard let first = RecordedResponse(bytes[...]) else {
      throw InvalidInput(
        "it begins with \(Excerpt(bytes.prefix { $0 != 0x0A }, limit: 30)), not with a status line",
        remedy: "save the output of curl -i, with the header")
    }
    var exchanges: [RecordedExchange] = []
    var (url, response) = (self.url, first)
    var steps = 0
    while let next = RecordedResponse(response.body[...]),
      let step = Self.step(after: response, to: next, at: url)
    {
      steps += 1
      guard steps <= 100 else { throw InvalidInput("it has more than 100 responses before the last one") }
      if let target = step.target {
        response.body = []
        if response.head.value(of: "content-length") != "0" { losses.add(.redirectBody, of: url) }
        response.head.setLength(0, without: ["transfer-encoding", "content-encoding"])
        exchanges.append(Self.exchange(response, at: url, &losses))
        url = target
      } else {
        losses.add(step.loss, of: url)
      }
      response = next
    }
    return exchanges + [Self.exchange(response, at: url, &losses)]
  }

  /// How a head that appears instead of a body relates to the preceding response.
  private struct Step {
    /// The redirect target, or nil if the same URL was requested again.
    var target: ProbeURL?
    /// The loss in that case.
    var loss = ImportLoss.tries
  }

  /// Decides how the next head relates to the preceding response.
  ///
  /// - Returns: nil if what looks like a head is a body; some servers send one there.
  private static func step(after response: RecordedResponse, to next: RecordedResponse, at url: ProbeURL)
    -> Step?
  {
    switch response.head.status {
    case 301, 302, 303, 307, 308:
      guard let target = RedirectHop(of: HTTPResponseHead(wireBytes: response.head.bytes), from: url)?.target,
        target.scheme == .http || target.scheme == .https
      else { return nil }
      return Step(target: target)
    case 401, 407: return Step()
    // A proxy's response to CONNECT has no field about content.
    case 200 where response.head.fields.allSatisfy({ !$0.name.hasPrefix("content-") }) && response.isTunnel:
      return Step(loss: .tunnel)
    default: return nil
    }
  }

  private static func exchange(
    _ recorded: RecordedResponse, at url: ProbeURL, _ losses: inout ImportLosses
  ) -> RecordedExchange {
    var response = recorded
    for loss in response.fixUndoneCodings(to: "GET") { losses.add(loss, of: url) }
    for loss in response.useHTTP1(to: "GET") { losses.add(loss, of: url) }
    return RecordedExchange(
      url: url, wire: WireRecord(received: response.bytes, ending: response.ending(to: "GET")))
  }
}

extension RecordedResponse {
  /// Whether it is a proxy's response that a tunnel is established, by the phrase that proxies use.
  fileprivate var isTunnel: Bool {
    String(decoding: head.statusLine, as: UTF8.self).lowercased().contains("connection established")
  }
}
