public import FixtureReplay
import ProbeCore
import ProbeZlib

/// Reads the recordings of other programs: HAR, WARC, ARC, and folders of `curl -i` output.
public enum CaptureImport {
  /// The maximum size of a recording in bytes.
  public static let maximumLength = 64 << 20
  /// The maximum size of a decompressed recording in bytes.
  static let maximumUnpackedLength = 256 << 20

  /// Reads a recording; its format is detected from its content.
  ///
  /// - Parameters:
  ///   - path: The path of a file in HAR 1.2, WARC 1.0 or 1.1, or ARC 1 or 2, compressed with gzip or not, or of a
  ///     folder in which each file is the output of `curl -i`.
  ///   - files: The source of files.
  /// - Returns: The exchanges, and descriptions of the data that the recording lacks.
  /// - Throws: ``InvalidImport`` with all errors in the recording.
  public static func read(
    _ path: String, files: any FixtureFiles = DiskFiles()
  ) throws(InvalidImport) -> ImportedCapture {
    switch files.kind(of: path) {
    case nil: throw InvalidImport(InvalidInput("there is no such file or folder"))
    case .folder: return try CurlFolder(path, files).read()
    case .file, .other:
      let bytes = try bytes(of: path, files)
      guard bytes.starts(with: [0x1F, 0x8B]) else { return try read(bytes) }
      return try read(packed: bytes)
    }
  }

  /// Reads a recording from the bytes of a file.
  ///
  /// - Parameter bytes: The content of a HAR, WARC or ARC file, decompressed.
  /// - Returns: The exchanges, and descriptions of the data that the recording lacks.
  /// - Throws: ``InvalidImport`` with all errors in the recording.
  public static func read(_ bytes: [UInt8]) throws(InvalidImport) -> ImportedCapture {
    let start = bytes.drop { $0.isLineSpace }
    if bytes.starts(with: "WARC/".utf8) { return try ArchiveFile(WARCRecords(bytes)).read() }
    if ARCRecords.begins(bytes) { return try ArchiveFile(ARCRecords(bytes)).read() }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...].drop { $0.isLineSpace } : start
    if text.first == UInt8(ascii: "{") { return try HARFile.read(text) }
    if RecordedAnswer.begins(start) {
      throw InvalidImport(
        InvalidInput(
          "the file is a single response, and its URL is not known",
          remedy:
            "put it into a folder with a urls.txt that has a line with the file name and the URL, and name the folder"
        ))
    }
    throw InvalidImport(
      InvalidInput(
        bytes.isEmpty ? "the file is empty" : "the file is neither HAR, WARC nor ARC",
        remedy:
          "use a .har, .warc or .arc file, compressed with gzip or not, or a folder with the output of curl -i"
      ))
  }

  private static func bytes(
    of path: String, _ files: any FixtureFiles
  ) throws(InvalidImport) -> [UInt8] {
    do throws(InvalidInput) {
      return try files.read(path, limit: maximumLength)
    } catch {
      throw InvalidImport(error)
    }
  }

  /// Reads a compressed recording; of one that is cut or damaged, what can be decompressed.
  private static func read(packed: [UInt8]) throws(InvalidImport) -> ImportedCapture {
    let result = Inflation.unpack(packed, limit: maximumUnpackedLength + 1)
    guard !result.bytes.isEmpty || result.fault == nil else {
      throw InvalidImport(
        InvalidInput("the file is not valid gzip", remedy: "test it with gzip -t"))
    }
    guard result.bytes.count <= maximumUnpackedLength else {
      throw InvalidImport(
        InvalidInput(
          "the file has more than \(maximumUnpackedLength >> 20) MiB after decompression",
          remedy: "check that it is the right file"))
    }
    guard let fault = result.fault else { return try read(result.bytes) }
    let words =
      switch fault {
      case .cut: "the compressed data ends too early, at byte \(result.position)"
      case .damaged: "the compressed data is damaged before byte \(result.position)"
      }
    do throws(InvalidImport) {
      var capture = try read(result.bytes)
      capture.losses.append("\(ImportLoss.end.text): \(words)")
      return capture
    } catch {
      throw InvalidImport(error.mistakes + [InvalidInput(words, remedy: "save it again")])
    }
  }
}
