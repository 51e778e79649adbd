import ProbeCore
import SourceDocuments

/// A plugin that `plugins` of a pipeline file declares.
struct DeclaredPlugin: Sendable {
  /// The program and its use.
  var plugin: PluginProgram
  /// The schema of its options; nil for any.
  var options: OptionsSchema?
  /// The schema as JSON, for editors; nil for any.
  var optionsText: String?
  /// The path of the schema, with symbolic links resolved; nil for none.
  var schemaFile: String?
  /// The options of a transport, as JSON.
  var transportOptions: String?
  /// The schemes of a transport.
  var schemes: [URLScheme: Encryption] = [:]
}

extension FieldReader where Value == [DeclaredPlugin] {
  /// The contents of `plugins`.
  ///
  /// - Parameters:
  ///   - plugins: The plugins of the program, whose names are taken.
  ///   - folder: The folder of the file; nil if only the schema is needed.
  /// - Returns: The reader.
  static func declaredPlugins(besides plugins: PluginRegistry, in folder: PipelineFolder?) -> FieldReader {
    nonEmptyList(of: .declaredPlugin(in: folder).called("a plugin")).map { declared, node, findings in
      guard case .sequence(let nodes) = node.content else { return nil }
      var (names, schemes) = (Set(plugins.validators.names), Set(plugins.transports.schemes))
      for (plugin, node) in zip(declared, nodes) {
        let nameNode = node.entry("name")?.value ?? node
        let name = plugin.plugin.name
        switch plugin.plugin.kind {
        case .validator:
          if ValidatorRegistry.wordsOfTheLanguage.contains(name) || name == "redirect" {
            findings.add(
              "\(name) is a word of pipeline files", remedy: "give the plugin another name", at: nameNode)
          } else if !names.insert(name).inserted {
            findings.add(
              "there is a validator \(name) already", remedy: "give the plugin another name", at: nameNode)
          }
        case .transport:
          for scheme in plugin.schemes.keys.sorted(by: { $0.name < $1.name }) {
            if schemes.insert(scheme).inserted { continue }
            findings.add(
              "there is a transport for \(scheme) already", remedy: "give the plugin another scheme",
              at: nameNode)
          }
        }
      }
      return declared
    }
  }
}

extension FieldReader where Value == DeclaredPlugin {
  fileprivate static func declaredPlugin(in folder: PipelineFolder?) -> FieldReader {
    let program = Program([], in: folder?.path ?? "")
    return .mapping(into: DeclaredPlugin(plugin: PluginProgram("", .validator, program))) {
      declared, reader in
      reader.required(
        into: &declared.plugin.name, "name", .pluginName, example: "health",
        summary: "its name: the key of a validator under validate, and the scheme of a transport's URLs")
      reader.required(
        into: &declared.plugin.program.arguments, "command", .arguments, example: "[./health.py]",
        summary:
          "the program and its arguments; a relative path starts at the folder of the pipeline, and a name without a "
          + "slash is looked for in PATH")
      reader.read(
        into: &declared.plugin.kind, "kind", .choice, default: "validator",
        summary: "what the plugin does: it judges responses, or makes probes")
      let schema = reader.optional(
        "schema", .located(.nonEmptyText), default: "any options",
        summary: "a file below the folder of the pipeline with a JSON Schema of its options")
      let schemes = reader.optional(
        "schemes", FieldReader<[URLScheme: Encryption]>.schemes, default: "its name, as plaintext",
        summary: "the URL schemes of a transport, each with encrypted or plaintext")
      reader.readLimits(of: &declared.plugin.program)
      reader.read(
        into: &declared.plugin.timeout, "timeout", .duration(in: .milliseconds(1) ... .seconds(3600)),
        default: "5s", summary: "how long an answer may take")
      reader.read(
        into: &declared.plugin.inFlight, "inFlight", .integer(in: 1...10_000), default: "64",
        summary: "the maximum number of unanswered messages of a process; further messages wait")
      reader.read(
        into: &declared.plugin.processes, "processes", .integer(in: 1...256), default: "1",
        summary: "how many processes of it run")
      let options = reader.entry("options", summary: "the options of a transport, which the schema describes")
      guard reader.hasRequired else { return }
      if let schema, let folder { declared.read(schema, in: folder, reader.findings) }
      if declared.plugin.kind == .transport {
        declared.schemes = schemes ?? [URLScheme(declared.plugin.name): .plaintext]
        let allowed = declared.options ?? OptionsSchema()
        let given = options.flatMap { allowed.option(of: $0.value, "options", reader.findings) }
        declared.transportOptions = (given ?? declared.options?.missing)?.text
        return
      }
      for entry in reader.entries where ["schemes", "options"].contains(entry.key) {
        reader.findings.add(
          "\(entry.key) is for transports",
          remedy: entry.key == "options"
            ? "give options where the validator is used" : "omit it, or add kind: transport",
          at: entry.keySpan.lowerBound)
      }
    }
  }
}

extension DeclaredPlugin {
  /// Reads the file of the schema of the options; if it cannot be read, that is reported.
  fileprivate mutating func read(
    _ schema: Located<String>, in folder: PipelineFolder, _ findings: SourceFindings
  ) {
    let path = folder.path(ofNamed: schema.value)
    schemaFile = folder.resolved(path)
    let bytes = findings.reporting(at: schema.node) { () throws(InvalidInput) in
      try folder.bytes(of: path, limit: SourceDocument.Limits().bytes)
    }
    guard let bytes, let node = findings.include(path: path, bytes: bytes) else { return }
    options = FieldReader<OptionsSchema>.optionsSchema.value(of: node, field: "the schema", findings)
    optionsText = OptionsSchema().option(of: node, "the schema", findings)?.text
  }
}

extension FieldReader where Value == String {
  /// A name of letters and digits, as those of registered validators.
  fileprivate static var pluginName: FieldReader {
    .text(
      "a name of letters and digits", otherwise: "cannot name a plugin",
      remedy: "use letters and digits, a letter first"
    ) { text in
      text.utf8.first?.isASCIILetter == true && text.utf8.count <= 100
        && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
    }
  }
}

extension FieldReader where Value == [URLScheme: Encryption] {
  private enum Word: String, CaseIterable {
    case encrypted, plaintext
  }

  /// `{ SCHEME: encrypted | plaintext }`.
  fileprivate static var schemes: FieldReader {
    FieldReader<[(entry: SourceEntry, value: Word)]>.dictionary(of: FieldReader<Word>.choice).map {
      entries, node, findings in
      var schemes: [URLScheme: Encryption] = [:]
      for (entry, word) in entries {
        // RFC 3986 §3.1.
        guard entry.key.utf8.first?.isASCIILetter == true,
          entry.key.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) })
        else {
          findings.add(
            "\(Excerpt(entry.key)) cannot name a scheme", remedy: "use letters and digits, a letter first",
            at: entry.keySpan.lowerBound)
          return nil
        }
        schemes[URLScheme(entry.key)] = word == .encrypted ? .encrypted : .plaintext
      }
      guard schemes.isEmpty else { return schemes }
      findings.add("schemes has no scheme", remedy: "add one, or omit the key", at: node)
      return nil
    }
  }
}
