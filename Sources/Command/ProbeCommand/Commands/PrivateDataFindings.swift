import FixtureCapture
import FixtureReplay
import ProbeCore
import SourceDocuments

/// Warns about private data in the files of a fixture.
enum PrivateDataFindings {
  /// The findings in the files of a fixture's folder.
  ///
  /// Unreadable files are ignored, as are files beyond the maximum total size of a fixture: both are reported
  /// when the fixture is loaded.
  static func inFiles(_ paths: [String], ofFolder folder: String) -> [SourceFinding] {
    var rest = FixtureLoader.maximumTotalLength
    var findings: [SourceFinding] = []
    for path in paths where rest > 0 {
      let limit = FixtureLoader.maximumFileLength
      guard let bytes = try? DiskFiles().read(path, ofFolder: folder, limit: limit) else { continue }
      rest -= bytes.count
      findings += inFile(path, bytes)
    }
    return findings
  }

  private static func inFile(_ path: String, _ bytes: [UInt8]) -> [SourceFinding] {
    let found = PrivateData.found(in: bytes)
    guard !found.isEmpty else { return [] }
    let findings = SourceFindings(SourceFile(path: path, bytes: bytes))
    for data in found {
      let (name, remedy) = words(for: data.kind)
      let message =
        data.isPacked
        ? "the compressed body that starts here contains \(name) that may be private"
        : "\(name) that may be private"
      findings.warn(message, remedy: remedy, at: data.offset)
    }
    return findings.warnings
  }

  private static func words(for kind: CaptureRedaction.Replacement.Kind) -> (name: String, remedy: String) {
    switch kind {
    case .email: ("an e-mail address", "use one for documentation, such as name@example.com (RFC 2606)")
    default:
      ("a MAC address", "use one for documentation, 00-00-5E-00-53-00 to 00-00-5E-00-53-FF (RFC 7042)")
    }
  }
}
