import ProbeCore
import CommandKit
import ProbeSystem

/// A part of the content of requests, from one `--data` option.
enum RequestData: Hashable, Sendable {
  /// The text itself.
  case text(String)
  /// A file to read.
  case file(String)
  /// Standard input.
  case input

  /// Parses the argument as curl does: `@` precedes the name of a file, or `-` for standard input.
  init(_ argument: String) {
    switch argument {
    case "@-": self = .input
    case _ where argument.hasPrefix("@"): self = .file(String(argument.dropFirst()))
    default: self = .text(argument)
    }
  }

  /// The content of several parts, joined with `&`; as in curl, line ends and zero bytes in files are
  /// removed.
  ///
  /// - Throws: ``InvalidInput`` if a file or standard input cannot be read.
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
