import FixtureCapture
import FixtureReplay
import ProbeCore

extension ImportedCapture {
  /// What a recording of one file is read as.
  init(reading text: String) throws(InvalidImport) {
    self = try CaptureImport.read("recording", files: MemoryFiles(["recording": Array(text.utf8)]))
  }

  /// What a folder of texts is read as.
  init(folder: [String: String]) throws(InvalidImport) {
    let files = folder.map { ("outputs/\($0.key)", Array($0.value.utf8)) }
    self = try CaptureImport.read("outputs", files: MemoryFiles(Dictionary(uniqueKeysWithValues: files)))
  }

  /// What was received in each exchange, as text.
  var received: [String] {
    exchanges.map { $0.wire.map { String(decoding: $0.received, as: UTF8.self) } ?? "" }
  }

  /// The loss that begins with these words.
  func loss(_ start: String) -> String? {
    losses.first { $0.hasPrefix(start) }
  }
}

/// The mistakes of a recording that cannot be read, a line each; empty for one that can.
func mistakes(_ read: () throws(InvalidImport) -> ImportedCapture) -> [String] {
  do {
    _ = try read()
    return []
  } catch {
    return error.mistakes.map(\.description)
  }
}
