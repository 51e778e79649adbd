import ProbeCore
import ProbePipeline
import SourceDocuments
import CommandKit
import ProbeSystem

/// `probekit schema`: prints the JSON Schema of a kind of file, for editors.
struct SchemaCommand: Subcommand {
  /// A kind of file and its schema.
  struct Schema: Sendable {
    /// The argument that selects it.
    var kind: String
    /// A description of the file, for the help text.
    var meaning: String
    /// Creates the text, with a final line end.
    var text: @Sendable () throws -> String
    /// Creates the text for a file whose contents extend the schema; nil if files cannot extend it.
    var textForFile: (@Sendable (_ path: String, _ bytes: [UInt8]) throws -> String)?
  }

  /// The command-line options of `probekit schema`.
  struct Options: Sendable {
    /// The selected schema.
    var kind = ""
    /// The file whose plugins are included, or nil.
    var file: String?
  }

  /// The available schemas; at least one.
  let schemas: [Schema]

  /// The specification of `probekit schema`.
  var spec: CommandSpec<Options> {
    let kinds = schemas.map(\.kind)
    return CommandSpec(
      name: "schema",
      summary: "Print the JSON Schema of a file format, for editors",
      discussion: [
        "The schema is generated from the declarations that read the files, including those of plugins. An editor "
          + "that uses it completes keys and marks the same errors as probekit lint."
      ],
      initial: Options(),
      positionals: [
        .word(
          "KIND", .one, of: kinds, else: "there is no such schema",
          help: schemas.map { "\($0.kind), \($0.meaning)" }.joined(separator: "; ")
        ) { $0.kind = $1 },
        PositionalSpec(
          "FILE", .optional, takes: .file,
          help: "a pipeline whose plugins in other processes are included, with the schemas of their options"
        ) { $0.file = try ValueKind.file.path($1) },
      ],
      formats: [.json],
      exitCodes: [
        (.success, "the schema was printed"),
        (.badInput, "the file cannot be read, or its plugins are invalid"),
        (.unavailable, "missing on this machine: disk space"),
      ],
      examples: [
        ("schema \(kinds.first ?? "") > probekit.schema.json", "save the schema for an editor"),
        ("schema pipeline office.yaml > office.schema.json", "with the plugins that a pipeline declares"),
      ])
  }

  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    guard let schema = schemas.first(where: { $0.kind == options.kind }) else { return .internalError }
    do {
      guard let file = options.file else {
        context.output.write(try schema.text())
        return .success
      }
      guard let text = schema.textForFile else {
        return context.ended(.usage, because: "FILE: nothing in a \(schema.kind) adds to the schema: omit it")
      }
      context.output.write(try text(file, try FileContents.read(file, limit: SourceDocument.Limits().bytes)))
      return .success
    } catch let error as InvalidInput {
      return context.ended(.badInput, because: "\(Excerpt(options.file ?? "", limit: 200)): \(error)")
    } catch let error as UnusablePipeline {
      for finding in error.findings { context.report(finding) }
      return .badInput
    } catch {
      return context.ended(.internalError, because: "the schema could not be written: \(error)")
    }
  }
}
