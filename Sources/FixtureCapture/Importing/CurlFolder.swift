import FixtureReplay
import ProbeCore

/// Makes exchanges of a folder in which each file is what `curl -i` wrote.
///
/// Of which URL a file is, a `urls.txt` says with a line `FILE URL`, or else the file's name, which is the URL
/// percent-encoded, with `.http`, `.resp` or `.txt` behind it or without. Folders in it and names that begin with a dot
/// are passed over.
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
  /// - Throws: ``InvalidImport`` with everything that is wrong with it.
  consuming func read() throws(InvalidImport) -> ImportedCapture {
    var exchanges: [RecordedExchange] = []
    for (name, url) in outputs() {
      do throws(InvalidInput) {
        let output = CurlOutput(try bytes(of: name), of: url)
        exchanges += try output.exchanges(&losses)
      } catch {
        mistakes.append(error.placed("the file \(Excerpt(name, limit: 200))"))
      }
    }
    guard mistakes.isEmpty else { throw InvalidImport(mistakes) }
    guard !exchanges.isEmpty else {
      throw InvalidImport(
        InvalidInput("the folder has no file in it", remedy: "save what curl -i writes in it, a file each"))
    }
    for loss in [ImportLoss.timings, .addresses, .ending, .sent] { losses.add(loss) }
    losses.add(.method)
    if exchanges.contains(where: { $0.url.scheme == .https }) { losses.add(.tls) }
    return ImportedCapture(exchanges: exchanges, losses: losses.texts, origin: "curl -i")
  }

  /// The files with their URLs: those of the list in its order, then the others by name.
  private mutating func outputs() -> [(name: String, url: ProbeURL)] {
    var names: [String] = []
    do throws(InvalidInput) {
      names = try files.entries(of: path).filter { $0.kind == .file && !$0.name.hasPrefix(".") }
        .map(\.name).sorted()
    } catch {
      mistakes.append(error)
    }
    var outputs: [(name: String, url: ProbeURL)] = []
    var listed: Set<String> = []
    if names.contains(Self.list) {
      do throws(InvalidInput) {
        for line in CurlURLs.lines(try bytes(of: Self.list, limit: 1 << 20)) {
          listed.formUnion(line.name.map { [$0] } ?? [])
          if let output = output(of: line, among: names, outputs.map(\.name)) { outputs.append(output) }
        }
      } catch {
        mistakes.append(error.placed(Self.list))
      }
    }
    for name in names where name != Self.list && !listed.contains(name) {
      do throws(InvalidInput) {
        outputs.append((name, try CurlURLs.url(ofName: name)))
      } catch {
        mistakes.append(error.placed("the file \(Excerpt(name, limit: 200))"))
      }
    }
    return outputs
  }

  private mutating func output(
    of line: CurlURLs.Line, among names: [String], _ known: [String]
  ) -> (name: String, url: ProbeURL)? {
    do throws(InvalidInput) {
      let (name, url) = try line.output()
      guard names.contains(name) else {
        let nearest = nearestName(to: name, among: names).map { "did you mean \($0.escapedForDisplay)?" }
        throw InvalidInput("there is no file \(Excerpt(name, limit: 200)) in the folder", remedy: nearest)
      }
      guard !known.contains(name) else {
        throw InvalidInput("the file \(Excerpt(name, limit: 200)) has two lines", remedy: "leave one out")
      }
      return (name, url)
    } catch {
      mistakes.append(error.placed("\(Self.list), line \(line.number)"))
      return nil
    }
  }

  /// The bytes of a file; all of them together are limited.
  private mutating func bytes(
    of name: String, limit: Int = FixtureLoader.maximumFileLength
  ) throws(InvalidInput) -> [UInt8] {
    let path = self.path == "/" ? "/\(name)" : "\(self.path)/\(name)"
    let bytes = try files.read(path, limit: limit)
    length += bytes.count
    guard length <= CaptureImport.maximumLength else {
      throw InvalidInput("the folder has more than \(CaptureImport.maximumLength >> 20) MiB up to here")
    }
    return bytes
  }
}
