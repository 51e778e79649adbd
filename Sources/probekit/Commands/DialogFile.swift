import ProbeCore
import SourceDocuments
import TCPTransport

/// A file with the steps of a dialog, as a list in JSON or YAML.
struct DialogFile {
  /// What is wrong with a file: each mistake in a line, and for some of them two more that point at the place.
  struct Unusable: Error {
    var mistakes: [(line: String, place: String?)]

    /// Tells all of them.
    func report(in context: CommandContext) {
      for mistake in mistakes {
        context.report("--dialog: \(mistake.line)")
        for line in (mistake.place ?? "").split(separator: "\n") { context.errors.writeLine("  \(line)") }
      }
    }
  }

  private static let form = #"write a list of steps, such as [{ "expect": "220 " }, { "send": "QUIT\r\n" }]"#

  /// The dialog that stands in a file.
  ///
  /// - Throws: ``Unusable`` when the file cannot be read, or with everything that is wrong in it.
  static func read(_ path: String) throws(Unusable) -> Dialog {
    func unusable(_ mistake: InvalidInput) -> Unusable {
      Unusable(mistakes: [("\(Excerpt(path, limit: 200)): \(mistake)", nil)])
    }
    let bytes: [UInt8]
    do {
      bytes = try FileContents.read(path)
    } catch {
      throw unusable(error)
    }
    guard !bytes.isEmpty else { throw unusable(InvalidInput("the file is empty", remedy: form)) }
    let findings = SourceFindings(SourceFile(path: path, bytes: bytes))
    let dialog = SourceDocument.read(findings).flatMap {
      SourceDecoding.value(Dialog.self, of: $0, field: "the dialog", findings)
    }
    if findings.isEmpty, let dialog { return dialog }
    throw Unusable(mistakes: findings.all.map { ($0.line, $0.safeCaretLines) })
  }
}

extension SourceFinding {
  /// The place and the mistake.
  fileprivate var line: String {
    var finding = self
    finding.caretLines = nil
    return finding.description
  }

  /// The place in its line; not where something is sent, which may be a secret.
  fileprivate var safeCaretLines: String? {
    message.hasPrefix("send") ? nil : caretLines.flatMap { $0.contains("send") ? nil : $0 }
  }
}
