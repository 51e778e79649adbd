public import FixtureReplay
import ProbeCore
import ProbeCodecs
import ProbeBase

/// Reads the recordings of other programs: HAR, WARC, ARC, and folders of `curl -i` output.
public enum CaptureImport {
  /// The maximum size of a recording in bytes, and of a decompressed HAR file.
  public static let maximumLength = 64 << 20
  /// The maximum size of a decompressed archive in bytes, of which not all is kept.
  static let maximumUnpackedLength = 256 << 20
  /// The maximum size in bytes of what is kept of an archive.
  ///
  /// It is more than a fixture can hold, so that hosts can be chosen.
  static let maximumKeptLength = 128 << 20
  /// The maximum number of values in a HAR file, each of which takes more memory than text.
  static let maximumValueCount = 4 << 20

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
    case .file, .other: return try read(RecordingBytes(ofFile: try bytes(of: path, files)))
    }
  }

  /// Reads a recording from the bytes of a file.
  ///
  /// - Parameter bytes: The content of a HAR, WARC or ARC file, decompressed.
  /// - Returns: The exchanges, and descriptions of the data that the recording lacks.
  /// - Throws: ``InvalidImport`` with all errors in the recording.
  public static func read(_ bytes: [UInt8]) throws(InvalidImport) -> ImportedCapture {
    try read(RecordingBytes(bytes))
  }

  private static func read(_ recording: RecordingBytes) throws(InvalidImport) -> ImportedCapture {
    var recording = recording
    let start = recording.peek(16)
    if start.starts(with: "WARC/".utf8) { return try ArchiveFile(WARCRecords(recording)).read() }
    if ARCRecords.begins(start) { return try ArchiveFile(ARCRecords(recording)).read() }
    guard !start.isEmpty || recording.decodingError == nil else {
      throw InvalidImport(InvalidInput("the file is not valid gzip", remedy: "test it with gzip -t"))
    }
    guard let bytes = recording.all(limit: maximumLength) else {
      throw InvalidImport(
        InvalidInput(
          "the file has more than \(maximumLength >> 20) MiB after decompression",
          remedy: "check that it is the right file"))
    }
    do throws(InvalidImport) {
      var capture = try readText(bytes)
      if let decodingError = recording.decodingError {
        capture.losses.append("\(ImportLoss.end.text): \(decodingError)")
      }
      return capture
    } catch {
      guard recording.decodingError != nil else { throw error }
      throw InvalidImport(
        error.mistakes + (recording.decodingError.map { [InvalidInput($0, remedy: "save it again")] } ?? []))
    }
  }

  private static func readText(_ bytes: [UInt8]) throws(InvalidImport) -> ImportedCapture {
    let start = bytes.drop { $0.isSpaceInC }
    let text = bytes.withoutByteOrderMark.drop { $0.isSpaceInC }
    if text.first == UInt8(ascii: "{") { return try HARReader.read(text) }
    if RecordedResponse.begins(start) {
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
}
