/// A pipeline file that is another one with other texts, so that the rules of a family of profiles are written once.
struct ProfileVariant {
  /// The name of the profile.
  let name: String
  /// The description, which replaces the one of the other file.
  let description: String
  /// The texts to replace, which are in the other file, and what replaces them.
  let changes: [(text: String, replacement: String)]

  /// The width of the lines of a description, without their margin.
  private static let width = 116

  /// Makes the file.
  ///
  /// - Parameter base: The file of the other profile.
  /// - Returns: The file, with everything that ``changes`` does not name as in the other one.
  func file(from base: [UInt8]) -> [UInt8] {
    let lines = base.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let margin = Array("  ".utf8)
    var head: [ArraySlice<UInt8>] = []
    var rest = lines[...]
    while let line = rest.popFirst() {
      if line.starts(with: "name:".utf8) {
        head.append(ArraySlice("name: \(name)".utf8))
      } else if line.starts(with: "description:".utf8) {
        head += ([">-"] + wrapped).enumerated().map { index, text in
          ArraySlice(((index == 0 ? "description: " : "  ") + text).utf8)
        }
        rest = rest.drop { $0.starts(with: margin) }
        break
      } else {
        head.append(line)
      }
    }
    var file = Array((head + rest).joined(separator: [UInt8(ascii: "\n")]))
    for change in changes {
      file.replace(Array(change.text.utf8), with: Array(change.replacement.utf8))
    }
    return file
  }

  /// The lines of the description.
  private var wrapped: [String] {
    var lines: [String] = []
    for word in description.split(separator: " ") {
      if let last = lines.last, last.utf8.count + 1 + word.utf8.count <= Self.width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension EngineProfile {
  /// Creates a profile whose file is that of another one with a few changes.
  ///
  /// - Parameters:
  ///   - name: The name, which is that of its pipeline.
  ///   - base: The file of the other profile.
  ///   - changes: The texts to replace, and what replaces them.
  ///   - description: The description.
  ///   - system: The systems with this check.
  ///   - loginDisplay: What they show when they find a portal.
  ///   - version: The modelled version.
  ///   - source: Where the rules are from.
  init(
    _ name: String, like base: [UInt8], with changes: [(text: String, replacement: String)],
    description: String,
    of system: String, showing loginDisplay: String, version: String, source: FieldSource
  ) {
    let variant = ProfileVariant(name: name, description: description, changes: changes)
    self.init(
      name, variant.file(from: base), of: system, showing: loginDisplay, version: version, source: source)
  }
}
