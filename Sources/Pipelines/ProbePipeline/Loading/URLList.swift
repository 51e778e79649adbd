package import ProbeCore
import SourceDocuments

/// A list of URLs, one per line.
package enum URLList {
  /// The maximum size of a file in bytes.
  static let maximumBytes = 8 << 20
  /// The maximum number of URLs in a file.
  static let maximumURLs = 100_000

  /// The lines that are neither empty nor comments, as ``ListFile`` reads them.
  ///
  /// - Parameter bytes: The list.
  /// - Returns: The lines, each with its number from 1.
  package static func lines(of bytes: [UInt8]) -> [(number: Int, bytes: ArraySlice<UInt8>)] {
    var lines: [(number: Int, bytes: ArraySlice<UInt8>)] = []
    ListFile.forEachEntry(of: bytes) { lines.append(($0, $1)) }
    return lines
  }

  /// The URL of a line, and its text for reports.
  package static func url(_ line: ArraySlice<UInt8>) -> (shown: String, url: Result<ProbeURL, InvalidInput>) {
    do throws(InvalidInput) {
      guard let text = String(validating: line, as: UTF8.self) else {
        throw InvalidInput("the line is not valid UTF-8")
      }
      return (text, .success(try ProbeURL(text)))
    } catch {
      return (shown(line), .failure(error))
    }
  }

  /// The URLs of a list; an invalid one becomes a probe that fails.
  ///
  /// - Parameters:
  ///   - bytes: The list.
  ///   - check: Throws if a URL cannot be probed.
  /// - Returns: A target for each line.
  package static func targets(
    in bytes: [UInt8], check: (ProbeURL) throws(InvalidInput) -> Void = { _ throws(InvalidInput) in }
  ) -> [ProbeTarget] {
    lines(of: bytes).map { number, line in
      let (shown, parsed) = url(line)
      do throws(InvalidInput) {
        let url = try parsed.get()
        try check(url)
        var target = ProbeTarget(shown)
        target.parsedURL = url
        target.isListItem = true
        return target
      } catch {
        var target = ProbeTarget(Self.shown(line))
        target.mistake = InvalidInput("line \(number): \(error.message)", remedy: error.remedy)
        target.mistake?.offset = error.offset
        return target
      }
    }
  }

  /// The maximum size of a line that reports show as a whole, in bytes.
  private static let maximumShownLine = 8192

  /// A line that is not a URL, for reports, without credentials.
  package static func shown(_ line: ArraySlice<UInt8>) -> String {
    // A line that is too long for a URL may be a whole file without line ends.
    if let text = String(validating: line, as: UTF8.self), text.utf8.count <= maximumShownLine {
      return text.withoutCredentials
    }
    guard line.contains(UInt8(ascii: "@")) else { return Excerpt(line).description }
    return Excerpt(String(decoding: line, as: UTF8.self).withoutCredentials).description
  }
}

extension FieldReader where Value == [ProbeTarget] {
  /// `{ file: LIST }`: the URLs of a file below the folder of the pipeline.
  static func urlFile(_ language: PipelineLanguage) -> FieldReader {
    .mapping { reader in
      let file = reader.required(
        "file", .located(.nonEmptyText), example: "urls.txt",
        summary:
          "a file below the folder of the pipeline with a URL on each line; empty lines and # comments are skipped, and "
          + "a line that is not a URL is a failed probe")
      guard let file, let folder = language.folder else { return nil }
      return reader.findings.reporting(at: file.node) { () throws(InvalidInput) in
        let path = folder.path(ofNamed: file.value)
        let bytes = try folder.bytes(of: path, limit: URLList.maximumBytes)
        guard bytes.count <= URLList.maximumBytes else {
          throw InvalidInput(
            "the file has more than \(URLList.maximumBytes >> 20) MiB",
            remedy: "check that it is the right file")
        }
        let targets = URLList.targets(in: bytes)
        guard !targets.isEmpty else {
          throw InvalidInput("the file has no URLs", remedy: "write one on each line")
        }
        guard targets.count <= URLList.maximumURLs else {
          throw InvalidInput(
            "the file has \(targets.count) URLs, more than \(URLList.maximumURLs)", remedy: "use several sets"
          )
        }
        for case let mistake? in targets.map(\.mistake) {
          reader.findings.warn(
            "\(mistake.message), so its probe fails", remedy: mistake.remedy, at: file.node.span.lowerBound)
        }
        return targets
      }
    }
  }
}
