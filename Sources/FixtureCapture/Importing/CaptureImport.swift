public import FixtureReplay
import ProbeCore
import ProbeZlib

/// Reads what other programs have recorded: HAR, WARC, and folders of what `curl -i` wrote.
public enum CaptureImport {
  /// How many bytes a recording may have.
  public static let maximumLength = 64 << 20
  /// How many bytes a packed recording may have when it is unpacked.
  static let maximumUnpackedLength = 256 << 20

  /// Reads a recording; its content says what it is.
  ///
  /// - Parameters:
  ///   - path: The path of a file in HAR 1.2 or WARC 1.0 or 1.1, packed with gzip or not, or of a folder in which each
  ///     file is what `curl -i` wrote.
  ///   - files: Where it is read from.
  /// - Returns: The exchanges, with what the recording has lost of them.
  /// - Throws: ``InvalidImport`` with everything that is wrong with the recording.
  public static func read(
    _ path: String, files: any FixtureFiles = DiskFiles()
  ) throws(InvalidImport) -> ImportedCapture {
    switch files.kind(of: path) {
    case nil: throw InvalidImport(InvalidInput("there is no such file or folder"))
    case .folder: return try CurlFolder(path, files).read()
    case .file, .other: return try read(unpacked(bytes(of: path, files)))
    }
  }

  /// Reads the bytes of a recording in one file.
  ///
  /// - Parameter bytes: The content of a file in HAR or WARC, unpacked.
  /// - Returns: The exchanges, with what the recording has lost of them.
  /// - Throws: ``InvalidImport`` with everything that is wrong with the recording.
  public static func read(_ bytes: [UInt8]) throws(InvalidImport) -> ImportedCapture {
    let start = bytes.drop { $0.isLineSpace }
    if bytes.starts(with: "WARC/".utf8) { return try WARCFile(bytes).read() }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...].drop { $0.isLineSpace } : start
    if text.first == UInt8(ascii: "{") { return try HARFile.read(text) }
    if RecordedAnswer.begins(start) {
      throw InvalidImport(
        InvalidInput(
          "the file is an answer by itself, and does not say of which URL",
          remedy:
            "put it into a folder with a urls.txt in which a line has its name and the URL, and name that"))
    }
    throw InvalidImport(
      InvalidInput(
        bytes.isEmpty ? "the file is empty" : "the file is neither HAR nor WARC",
        remedy: "name a .har, a .warc or .warc.gz, or a folder with output of curl -i"))
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
        InvalidInput("the file begins like gzip and cannot be unpacked", remedy: "try it with gzip -t"))
    }
    guard unpacked.count <= maximumUnpackedLength else {
      throw InvalidImport(
        InvalidInput(
          "the file has more than \(maximumUnpackedLength >> 20) MiB when it is unpacked",
          remedy: "is it the right one?"))
    }
    return unpacked
  }
}
