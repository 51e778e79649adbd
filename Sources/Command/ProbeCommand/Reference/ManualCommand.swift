import ProbeCore
import CommandKit
import ProbeSystem

/// `probekit manual`: the reference of commands, files and reason codes, as text, man pages or Markdown.
struct ManualCommand: Subcommand {
  struct Options: Sendable {
    /// The topics of the pages; empty for all.
    var topics: [String] = []
    /// The folder to write, or nil for standard output.
    var folder: String?
  }

  static let name = "manual"

  /// The names of the pages.
  let topics: @Sendable () -> [String]
  /// Creates the manual when a page is printed.
  let manual: @Sendable () -> Manual

  /// The specification of `probekit manual`.
  var spec: CommandSpec<Options> {
    let topics = topics()
    return CommandSpec(
      name: Self.name,
      summary: "Print the manual: commands, files and reason codes",
      discussion: [
        "Prints one or several pages, or all of them. A page is the name of the program, a command, "
          + "pipeline, fixture or reason-codes. Formats: text; man, for the man command; markdown.",
        "With --output, writes each page to a file of its own in a folder.",
      ],
      initial: Options(),
      positionals: [
        .word(
          "PAGE", .any, of: topics, else: "there is no such page",
          help: "a page to print (default: all pages)"
        ) { $0.topics.append($1) }
      ],
      options: [
        .path(
          "--output", \.folder, short: "-o", value: "DIR", takes: .folder,
          help: "write the pages as files in this folder")
      ],
      formats: [.text, .man, .markdown],
      exitCodes: [
        (.success, "the pages were printed or written"),
        (.unavailable, "missing on this machine, such as disk space"),
      ],
      examples: [
        ("manual check", "the manual page of a command"),
        ("manual pipeline", "every key of pipeline files"),
        ("manual --format man --output man", "man pages, for the man command"),
      ])
  }

  /// Prints or writes the pages.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    let all = manual().pages
    let pages = options.topics.isEmpty ? all : all.filter { options.topics.contains($0.topic) }
    guard let folder = options.folder else {
      let texts = pages.map { text(of: $0, in: context) }
      context.output.write(texts.joined(separator: "\n"))
      return .success
    }
    for page in pages {
      let path = folder + "/" + file(of: page, in: context.format)
      do throws(OutputSink.Failure) {
        try ReportFile.makeFolders(of: path)
        let report = try ReportFile(path)
        report.sink.write(text(of: page, in: context))
        try report.commit()
      } catch {
        return context.ended(.unavailable, because: "\(path): cannot be written: \(error.message)")
      }
    }
    return .success
  }

  private func text(of page: ManualPage, in context: CommandContext) -> String {
    switch context.format {
    case .man: RoffPage(page, of: context.program).description
    case .markdown: MarkdownPage(page, of: context.program).description
    default: TextPage(page, width: context.width, isHelp: false).description
    }
  }

  private func file(of page: ManualPage, in format: OutputFormat) -> String {
    switch format {
    case .man: "\(page.name).\(page.section)"
    case .markdown: page.markdownPath
    default: "\(page.name).txt"
    }
  }
}

extension OutputFormat {
  static let man = OutputFormat("man")
}
