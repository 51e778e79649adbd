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
    let list = FieldReader<[DeclaredPlugin?]>.nonEmptyList(
      of: FieldReader<DeclaredPlugin?>.declaredPlugin(in: folder).called("a plugin"))
    return list.map { declared, node, findings in
      guard case .sequence(let nodes) = node.content else { return nil }
      var (names, schemes) = (Set(plugins.validators.names), Set(plugins.transports.schemes))
      for (plugin, node) in zip(declared, nodes) {
        guard let plugin else { continue }
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
      return declared.compactMap(\.self)
    }
  }
}

extension FieldReader where Value == DeclaredPlugin? {
  fileprivate static func declaredPlugin(in folder: PipelineFolder?) -> FieldReader {
    .mapping { reader in
      let name = reader.required(
        "name", FieldReader<String>.pluginName, example: "health",
        summary: "its name: the key of a validator under validate, and the scheme of a transport's URLs")
      let command = reader.required(
        "command", FieldReader<[String]>.arguments, example: "[./health.py]",
        summary:
          "the program and its arguments; a relative path starts at the folder of the pipeline, and a name without a "
          + "slash is looked for in PATH")
      let kind = reader.optional(
        "kind", FieldReader<PluginProgram.Kind>.choice, default: "validator",
        summary: "what the plugin does: it judges responses, or makes probes")
      let schema = reader.optional(
        "schema", .located(.nonEmptyText), default: "any options",
        summary: "a file below the folder of the pipeline with a JSON Schema of its options")
      let schemes = reader.optional(
        "schemes", FieldReader<[URLScheme: Encryption]>.schemes, default: "its name, as plaintext",
        summary: "the URL schemes of a transport, each with encrypted or plaintext")
      let settings = reader.programSettings()
      let timeout = reader.optional(
        "timeout", .duration(in: .milliseconds(1) ... .seconds(3600)), default: "5s",
        summary: "how long an answer may take")
      let inFlight = reader.optional(
        "inFlight", .integer(in: 1...10_000), default: "64",
        summary: "the maximum number of unanswered messages of a process; further messages wait")
      let processes = reader.optional(
        "processes", .integer(in: 1...256), default: "1", summary: "how many processes of it run")
      let optionsEntry = reader.entry(
        "options", summary: "the options of a transport, which the schema describes")
      guard let name, let command else { return nil }
      var program = Program(command, in: folder?.path ?? "")
      settings.apply(to: &program)
      var plugin = PluginProgram(name, kind ?? .validator, program)
      plugin.timeout = timeout ?? plugin.timeout
      plugin.inFlight = inFlight ?? plugin.inFlight
      plugin.processes = processes ?? plugin.processes
      var declared = DeclaredPlugin(plugin: plugin)
      if let schema, let folder {
        declared.schemaFile = folder.resolved(folder.path(ofNamed: schema.value))
      }
      if let schema, let folder, let node = reader.optionsSchema(schema, in: folder) {
        declared.options = FieldReader<OptionsSchema>.optionsSchema.value(
          of: node, field: "the schema", reader.findings)
        declared.optionsText = OptionsSchema().option(of: node, "the schema", reader.findings)?.json
      }
      if plugin.kind == .transport {
        declared.schemes = schemes ?? [URLScheme(name): .plaintext]
        let given = optionsEntry.flatMap {
          (declared.options ?? OptionsSchema()).option(of: $0.value, "options", reader.findings)
        }
        declared.transportOptions = (given ?? declared.options?.missing)?.json
      } else {
        for key in ["schemes", "options"] where reader.node.entry(key) != nil {
          reader.findings.add(
            "\(key) is for transports",
            remedy: key == "options"
              ? "give options where the validator is used" : "omit it, or add kind: transport",
            at: reader.node.entry(key)?.keySpan.lowerBound ?? reader.node.span.lowerBound)
        }
      }
      return declared
    }
  }
}

extension MappingReader {
  /// The value in the file of a schema, or nil if it cannot be read, which is reported.
  fileprivate func optionsSchema(_ name: Located<String>, in folder: PipelineFolder) -> SourceNode? {
    let path = folder.path(ofNamed: name.value)
    do throws(InvalidInput) {
      let bytes = try folder.bytes(of: path, limit: SourceDocument.Limits().bytes)
      return findings.include(path: path, bytes: bytes)
    } catch {
      findings.add(error, at: name.node)
      return nil
    }
  }
}

extension FieldReader where Value == String {
  /// A name of letters and digits, as those of registered validators.
  fileprivate static var pluginName: FieldReader {
    .text("a name of letters and digits") { text throws(InvalidInput) in
      guard text.utf8.first?.isASCIILetter == true, text.utf8.count <= 100,
        text.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit })
      else {
        throw InvalidInput(
          "\(Excerpt(text)) cannot name a plugin", remedy: "use letters and digits, a letter first")
      }
      return text
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
