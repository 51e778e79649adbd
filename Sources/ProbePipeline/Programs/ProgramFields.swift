import ProbeCore
import SourceDocuments

/// The keys of a program that say what it may use.
struct ProgramFields: Sendable {
  /// The names of the environment variables that it gets.
  var environment: [String]?
  /// The data that each process may have, in bytes.
  var memory: Int?
  /// Whether it runs without network and files.
  var isSandboxed: Bool?

  /// Applies them to a program.
  func apply(to program: inout Program) {
    program.environment = environment ?? program.environment
    program.limits.memory = memory ?? program.limits.memory
    program.isSandboxed = isSandboxed ?? program.isSandboxed
  }
}

extension MappingReader {
  /// Reads the keys of a program that say what it may use.
  mutating func programSettings() -> ProgramFields {
    ProgramFields(
      environment: optional(
        "environment", FieldReader<[String]>.nonEmptyList(of: .variableName), default: "none",
        summary: "the names of the environment variables that it gets"),
      memory: optional(
        "memory", .byteCount(in: (1 << 20)...(1 << 40)), default: "512MiB",
        summary: "the data that each of its processes may have"),
      isSandboxed: optional(
        "sandbox", .boolean, default: "false",
        summary: "whether it runs under bubblewrap, without network and files"))
  }
}

extension FieldReader where Value == String {
  /// The name of an environment variable.
  fileprivate static var variableName: FieldReader {
    .text("the name of an environment variable") { text throws(InvalidInput) in
      guard !text.isEmpty, !text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "=") }) else {
        throw InvalidInput("\(Excerpt(text)) cannot name an environment variable", remedy: "write it as HOME")
      }
      return text
    }
  }
}
