import ProbeCore
import SourceDocuments
import Transports
import CommandKit
import ProbeSystem

/// A JSON or YAML file with the list of steps of a dialog.
struct DialogFile {
  /// The errors in a file, one per line; some have two further lines that show the location.
  struct Unusable: Error {
    var mistakes: [(line: String, caretLines: String?)]

    /// Reports all errors.
    func report(in context: CommandContext) {
      for mistake in mistakes {
        context.report("--dialog: \(mistake.line)")
        for line in (mistake.caretLines ?? "").split(separator: "\n") {
          context.errors.writeLine("  \(line)")
        }
      }
    }
  }

  private static let form = #"write a list of steps, such as [{ "expect": "220 " }, { "send": "QUIT\r\n" }]"#

  /// Reads the dialog from a file.
  ///
  /// - Throws: ``Unusable`` if the file cannot be read or has errors.
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
  /// The location and the error.
  fileprivate var line: String {
    var finding = self
    finding.caretLines = nil
    return finding.description
  }

  /// The line with a caret, unless it is a line to send, which may contain a secret.
  fileprivate var safeCaretLines: String? {
    message.hasPrefix("send") ? nil : caretLines.flatMap { $0.contains("send") ? nil : $0 }
  }
}
