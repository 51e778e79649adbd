import FixtureCapture
import FixtureReplay
import ProbeCore
import SourceDocuments

/// Warns about private data in the files of a fixture.
enum PrivateDataFindings {
  /// The findings in a file of a fixture's folder; none if it cannot be read, which loading has reported
  /// already.
  static func inFile(_ path: String, ofFolder folder: String) -> [SourceFinding] {
    let limit = FixtureLoader.maximumFileLength
    guard let bytes = try? DiskFiles().read(path, ofFolder: folder, limit: limit) else { return [] }
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
