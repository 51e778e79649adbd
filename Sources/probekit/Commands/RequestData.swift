import ProbeCore

/// A part of the content that requests send, as `--data` gives it.
enum RequestData: Hashable, Sendable {
  /// The text itself.
  case text(String)
  /// A file to read.
  case file(String)
  /// Standard input.
  case input

  /// Reads the argument as curl does: behind `@` it names a file, or `-` for standard input.
  init(_ argument: String) {
    switch argument {
    case "@-": self = .input
    case _ where argument.hasPrefix("@"): self = .file(String(argument.dropFirst()))
    default: self = .text(argument)
    }
  }

  /// The content of several parts, with `&` between them; line ends and zeros of files are left out, as curl does.
  ///
  /// - Throws: ``InvalidInput`` when a file or standard input cannot be read.
  static func content(of parts: [RequestData], in context: CommandContext) throws(InvalidInput) -> [UInt8] {
    var content: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 { content.append(UInt8(ascii: "&")) }
      switch part {
      case .text(let text): content += text.utf8
      case .file(let path):
        do throws(InvalidInput) {
          content += try withoutLineEnds(FileContents.read(path, limit: 16 << 20))
        } catch {
          throw InvalidInput("--data: \(Excerpt(path, limit: 200)): \(error.message)", remedy: error.remedy)
        }
      case .input: content += withoutLineEnds(try context.input.readAll())
      }
    }
    return content
  }

  private static func withoutLineEnds(_ bytes: [UInt8]) -> [UInt8] {
    bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != 0 }
  }
}
