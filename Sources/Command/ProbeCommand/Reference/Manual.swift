internal import FixtureReplay
internal import FoundationEssentials
internal import ProbeCore
internal import ProbePipeline
internal import ProbeTLS
package import CommandKit

/// All pages of the manual.
struct Manual {
  /// The topics besides those of commands.
  static let fileTopics = ["pipeline", "fixture", "reason-codes"]

  /// The pages of the program, each command, files and codes.
  let pages: [ManualPage]

  init(of program: ToolName, commands: [CommandOutline], plugins: PluginRegistry) {
    var pages =
      [ManualPage(program, commands: commands)] + commands.map { ManualPage($0, of: program) }
      + [.pipeline(of: program, over: plugins), .fixture(of: program), .reasonCodes(of: program)]
    let references = pages.map(\.reference)
    for index in pages.indices {
      let topic = pages[index].topic
      // The program's page refers to all pages; every page refers to it and to the pages of files and codes.
      pages[index].related = references.filter { reference in
        reference.topic != topic
          && (topic == program.name || reference.topic == program.name
            || Self.fileTopics.contains(reference.topic))
      }
    }
    self.pages = pages
  }
}

extension ManualPage {
  /// The page of the whole program.
  package init(_ program: ToolName, commands: [CommandOutline]) {
    self.init(
      topic: program.name, name: program.name, section: 1, title: program.name,
      summary: "Check whether this network is really open to the Internet, and if not, why",
      usage: ["\(program.name) COMMAND [OPTIONS] [ARGUMENTS]"], markdownPath: "cli/\(program.name).md")
    add("Commands", .list("command", commands.map { ($0.name, $0.summary) }), isInHelp: true)
    add(
      "Options",
      .list(
        "option",
        [
          ("-h, --help", "show this help; \(program.name) help COMMAND shows the help of a command"),
          ("--version", "show the version"),
        ]), isInHelp: true)
    add("Exit status", .exitCodes(ExitCode.meanings), isInHelp: true)
    parts.append(
      Part(
        title: "Environment",
        blocks: [
          .list("variable", Self.environment.map { ($0.name, $0.meaning) }),
          .paragraph(
            "Other variables have no effect on probes: proxies are not read from http_proxy and similar variables, "
              + "nor certificates from SSL_CERT_FILE, nor settings of OpenSSL, libcurl or the resolver. "
              + "Use the options and the keys of pipeline files."),
        ]))
    add(
      "Files",
      .list(
        "file",
        [
          (
            TrustStore.systemBundles[0],
            "the certificate authorities of the system; if it does not exist, the first of "
              + TrustStore.systemBundles.dropFirst().joined(separator: ", ")
          )
        ]))
  }
}

extension ManualPage {
  /// The page of pipeline files that use these plugins.
  static func pipeline(of program: ToolName, over plugins: PluginRegistry) -> ManualPage {
    var page = ManualPage(
      topic: "pipeline", name: "\(program.name)-pipeline", section: 5, title: "Pipeline files",
      summary: "The keys of pipeline files",
      description: [
        "A pipeline file says what to probe, how to judge the responses, and what must succeed for the network to be "
          + "online. \(program.name) run, monitor, verify and capture read it; \(program.name) lint checks it; "
          + "\(program.name) schema pipeline prints its JSON Schema for editors.",
        "Files are in YAML or JSON, of at most 1 MiB, 100 000 values and 64 levels. A value without quotes takes the type "
          + "of its key: contains: no looks for the text \"no\". Inside of [...] and {...}, a comma, or a colon "
          + "followed by a space, needs quotes. Relative paths start at the folder of the file.",
        "A duration is written as 800ms, 5s, 1m, 2h or 14d, a size as 4096, 64KiB or 1MB. In the names of keys below, "
          + "a dot separates a key from the key that contains it, [] means each item of a list, and * any name.",
      ], markdownPath: "pipeline-reference.md")
    page.parts = parts(of: SchemaRows(PipelineSchema(plugins).schema), titles: pipelineTitles)
    let examples = plugins.validators.names.compactMap { name in
      plugins.validators[name].flatMap { example(of: $0) }.map {
        (code: "validate: { \(name): \($0) }", meaning: plugins.validators[name]?.summary ?? "a validator")
      }
    }
    page.add(
      "Limits",
      .paragraph(
        "A value of a plugin has at most 6000 values, a dialog 1000 steps. All patterns of a file together may take "
          + "8 MiB, by an estimate of their size and of the work to compile them: room for more than a thousand "
          + "different patterns; equal patterns count once. After a thousand errors, the rest of a file is not checked."
      ))
    page.add("Examples", .examples(examples))
    return page
  }

  static func fixture(of program: ToolName) -> ManualPage {
    var page = ManualPage(
      topic: "fixture", name: "\(program.name)-fixture", section: 5, title: "Fixture files",
      summary: "The keys of fixture.yaml",
      description: [
        "A fixture is a folder with a file fixture.yaml: a network to replay, with its servers, their responses and "
          + "their faults. \(program.name) replay serves it, \(program.name) verify probes it, \(program.name) capture "
          + "writes one, \(program.name) lint checks it, and \(program.name) schema fixture prints its JSON Schema for "
          + "editors.",
        "A duration is written as 800ms or 5s. In the names of keys below, a dot separates a key from the key that "
          + "contains it, [] means each item of a list, and * any name.",
      ], markdownPath: "fixture-reference.md")
    page.parts = parts(of: SchemaRows(FixtureSchema.schema), titles: [:])
    return page
  }

  static func reasonCodes(of program: ToolName) -> ManualPage {
    let rows = ReasonCode.all.map { code in
      [code.rawValue, code.meaning ?? "", code.traits.words.joined(separator: ", ")]
    }
    var page = ManualPage(
      topic: "reason-codes", name: "\(program.name)-reason-codes", section: 7, title: "Reason codes",
      summary: "Why a probe was not accepted",
      description: [
        "A probe that is not accepted has a reason code: a stable word for reports, rules of pipelines and metrics. "
          + "Plugins may define their own codes."
      ], markdownPath: "reason-codes.md")
    page.add("Codes", .table(titles: ["code", "meaning", "properties"], rows: rows))
    page.add("Properties", .list("property", ReasonCode.Traits.named.map { ($0.word, $0.meaning) }))
    return page
  }

  private static func parts(
    of rows: SchemaRows, titles: [String: (title: String, introduction: String)]
  ) -> [Part] {
    rows.groups.map { group in
      let (title, introduction) =
        group.name.map { titles[$0] ?? ($0.prefix(1).uppercased() + $0.dropFirst(), "") } ?? ("Keys", "")
      var blocks: [Block] = introduction.isEmpty ? [] : [.paragraph(introduction)]
      if group.name != nil, group.value != "mapping" { blocks.append(.paragraph("Value: \(group.value).")) }
      if !group.forms.isEmpty {
        blocks.append(.paragraph("The keys go together as follows: \(group.forms.joined(separator: "; "))."))
      }
      if !group.rows.isEmpty {
        blocks.append(
          .table(
            titles: ["key", "meaning", "value", "default"],
            rows: group.rows.map { [$0.path, $0.summary ?? "", $0.value, $0.defaultValue] }))
      }
      return Part(title: title, blocks: blocks)
    }
  }

  private static let pipelineTitles: [String: (title: String, introduction: String)] = [
    "request": (
      "request",
      "request is a key of the top level, of a set and of a URL. The nearest one applies, key by key. A key that the "
        + "scheme of a URL does not have is an error, except at the top level, where it applies to the URLs that have it."
    ),
    "validator": (
      "validator",
      "A mapping with one key: the name of a validator with its options, or a combination of validators."
    ),
    "condition": (
      "condition",
      "A condition of classify: a mapping with one key. A validator as a condition holds if it accepts the response; for "
        + "a probe without a response, neither it nor its negation holds."
    ),
    "decision": ("decision", "A condition of decide."),
    "secret": (
      "secret",
      "The text itself, or the environment variable or file that holds it. Secrets are read when the pipeline runs."
    ),
    "dialog": ("dialog", "The steps of a conversation over tcp, tls or udp, each a mapping with one key."),
  ]

  /// An example of a validator's options, as in a file, or nil if the validator has no example.
  private static func example<Validator: ConfigurableValidator>(of type: Validator.Type) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return type.examples.first.flatMap { try? encoder.encode($0.options) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

extension ReasonCode.Traits {
  /// The properties that are relevant to a user, in order.
  static let named: [(trait: Self, word: String, meaning: String)] = [
    (.transient, "transient", "the cause may be temporary: a probe with retries tries again"),
    (.lookup, "lookup", "the lookup of a name failed"),
    (.stopsTraffic, "no exchange", "the network, a proxy or the server prevented the exchange"),
    (.certificateDate, "certificate date", "a certificate is not valid at this time"),
    (
      .certificateIssuer, "certificate issuer",
      "a certificate is for another host, or its issuer is not trusted"
    ),
    (.aboutConnection, "connection", "it concerns the connection, not the response"),
    (.aboutContent, "content", "it concerns the content that was received"),
    (.undecided, "undecided", "the validator could not decide"),
    (.byCaller, "caller", "the request, the policy or a cancellation ended the probe"),
    (.thisMachine, "this machine", "this machine lacks something; the network is not at fault"),
  ]

  /// The names of the properties.
  var words: [String] { Self.named.filter { contains($0.trait) }.map(\.word) }
}
