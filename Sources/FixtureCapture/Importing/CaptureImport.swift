public import FixtureReplay
import ProbeCore
import ProbeZlib

/// Reads the recordings of other programs: HAR, WARC, and folders of `curl -i` output.
public enum CaptureImport {
  /// The maximum size of a recording in bytes.
  public static let maximumLength = 64 << 20
  /// The maximum size of a decompressed recording in bytes.
  static let maximumUnpackedLength = 256 << 20

  /// Reads a recording; its format is detected from its content.
  ///
  /// - Parameters:
  ///   - path: The path of a file in HAR 1.2, WARC 1.0 or WARC 1.1, compressed with gzip or not, or of a
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
    case .file, .other: return try read(unpacked(bytes(of: path, files)))
    }
  }

  /// Reads a recording from the bytes of a file.
  ///
  /// - Parameter bytes: The content of a HAR or WARC file, decompressed.
  /// - Returns: The exchanges, and descriptions of the data that the recording lacks.
  /// - Throws: ``InvalidImport`` with all errors in the recording.
  public static func read(_ bytes: [UInt8]) throws(InvalidImport) -> ImportedCapture {
    let start = bytes.drop { $0.isLineSpace }
    if bytes.starts(with: "WARC/".utf8) { return try WARCFile(bytes).read() }
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
        bytes.isEmpty ? "the file is empty" : "the file is neither HAR nor WARC",
        remedy: "use a .har, .warc or .warc.gz file, or a folder with the output of curl -i"))
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

  private static func unpacked(_ bytes: [UInt8]) throws(InvalidImport) -> [UInt8] {
    guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
    guard let unpacked = Inflation.unpacked(bytes, limit: maximumUnpackedLength + 1) else {
      throw InvalidImport(
        InvalidInput("the file is not valid gzip", remedy: "test it with gzip -t"))
    }
    guard unpacked.count <= maximumUnpackedLength else {
      throw InvalidImport(
        InvalidInput(
          "the file has more than \(maximumUnpackedLength >> 20) MiB after decompression",
          remedy: "check that it is the right file"))
    }
    return unpacked
  }
}
