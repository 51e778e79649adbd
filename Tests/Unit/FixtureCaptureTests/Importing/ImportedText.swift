import FixtureCapture
import FixtureReplay
import ProbeCore

extension ImportedCapture {
  /// Imports a recording in one file.
  init(reading text: String) throws(InvalidImport) {
    self = try CaptureImport.read("recording", files: MemoryFiles(["recording": Array(text.utf8)]))
  }

  /// Imports a folder of texts.
  init(folder: [String: String]) throws(InvalidImport) {
    let files = folder.map { ("outputs/\($0.key)", Array($0.value.utf8)) }
    self = try CaptureImport.read("outputs", files: MemoryFiles(Dictionary(uniqueKeysWithValues: files)))
  }

  /// The bytes received in each exchange, as text.
  var received: [String] {
    exchanges.map { $0.wire.map { String(decoding: $0.received, as: UTF8.self) } ?? "" }
  }

  /// The loss that begins with these words.
  func loss(_ start: String) -> String? {
    losses.first { $0.hasPrefix(start) }
  }
}

/// The errors in a recording, a line each; empty if it can be read.
func mistakes(_ read: () throws(InvalidImport) -> ImportedCapture) -> [String] {
  do {
    _ = try read()
    return []
  } catch {
    return error.mistakes.map(\.description)
  }
}
