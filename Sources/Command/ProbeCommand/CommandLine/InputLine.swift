import CommandKit
import ProbeCore
import ProbePipeline

/// A line of an input: its number and its contents.
public struct InputLine: Hashable, Sendable {
  /// The number, from 1.
  public var number: Int
  /// The line without surrounding white space, or nil when it is not valid UTF-8.
  public var text: String?
  /// The line for a message: escaped, without credentials, and truncated if it is long.
  public var excerpt: String

  /// The lines that are neither empty nor comments, which begin with `#`; both LF and CRLF end a line.
  public static func lines(of bytes: [UInt8]) -> [InputLine] {
    URLList.lines(of: bytes).map { number, line in
      let argument = RawArgument(Array(line))
      return InputLine(
        number: number, text: argument.isValid ? argument.text : nil,
        excerpt: Excerpt(argument.text.withoutCredentials).description)
    }
  }
}
