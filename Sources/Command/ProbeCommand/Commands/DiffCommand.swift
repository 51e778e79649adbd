import ProbeCore
import ProbeReporting
import CommandKit
import ProbeSystem

/// `probekit diff`: compares two reports.
struct DiffCommand: Subcommand {
  struct Options: Sendable {
    /// The path of the earlier report, then that of the later one; `-` for standard input.
    var paths: [String] = []
    /// The factor from which a probe counts as slower or faster, or nil to ignore times.
    var slower: Double?
  }

  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "diff",
      summary: "Compare two JSON reports of run or check",
      discussion: [
        "BEFORE and AFTER are files that run or check wrote with --format json; - is standard input. Pipelines and sets "
          + "are matched by name, probes by URL and name. A probe that was skipped is not compared.",
        "These changes are worse: a worse verdict, a set that is no longer met, a probe that is no longer accepted, and "
          + "with --slower a slower probe. Verdicts from the best to the worst: online or healthy, partial or degraded, captivePortal, "
          + "intercepted, inconclusive, offline or unhealthy. Other changes, such as a new set, another reason code or a "
          + "renewed certificate, do not change the exit code.",
      ],
      initial: Options(),
      positionals: [
        PositionalSpec("BEFORE", .one, takes: .file, help: "the earlier report", Self.add),
        PositionalSpec("AFTER", .one, takes: .file, help: "the later report", Self.add),
      ],
      options: [
        .option(
          "--slower", value: "FACTOR",
          help:
            "report a probe as worse if its total time grew by this factor, such as 2x, and as better if it fell by this "
            + "factor; differences below 10 ms do not count", default: "times are not compared"
        ) { options, text in options.slower = try Self.factor(text) }
      ],
      canBeQuiet: true,
      formats: [.text, .json, .markdown],
      exitCodes: [
        (.success, "nothing is worse"),
        (.notOnline, "something is worse"),
        (.badInput, "a report cannot be read or is wrong"),
        (.unavailable, "missing on this machine: disk space"),
      ],
      examples: [
        ("diff before.json after.json", "show what changed"),
        ("diff --format markdown before.json after.json > comment.md", "write it for a comment"),
        ("diff --slower 2x yesterday.json -", "compare with standard input, including times"),
      ],
      check: {
        .when($0.paths == ["-", "-"], "both reports are -", remedy: "read one of them from a file")
      })
  }

  private static func add(_ options: inout Options, _ path: String) throws(InvalidInput) {
    options.paths.append(try ValueKind.file.path(path, of: "a report"))
  }

  /// Reads a factor such as `2x` or `1.5`.
  private static func factor(_ text: String) throws(InvalidInput) -> Double {
    let number = text.hasSuffix("x") ? text.dropLast() : text[...]
    let isDecimal = number.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
    guard isDecimal, let factor = Double(number), factor > 1, factor <= 1000 else {
      throw InvalidInput(
        "\(Excerpt(text)) is not a factor", remedy: "give a number above 1 and up to 1000, such as 2x")
    }
    return factor
  }

  /// Compares the reports.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    var reports: [SavedReport] = []
    for path in options.paths {
      do throws(InvalidInput) {
        reports.append(try SavedReport(try Self.bytes(of: path, context)))
      } catch {
        let name = path == "-" ? "standard input" : path.escapedForDisplay
        context.report("\(name): \(error)")
      }
    }
    guard reports.count == 2 else { return .badInput }
    let comparison = ReportComparison(from: reports[0], to: reports[1], slower: options.slower)
    let report = ComparisonReport(comparison)
    return context.write("the changes", comparison.count(.worse) > 0 ? .notOnline : .success) {
      switch context.format {
      case .json: try report.json()
      case .markdown: report.markdown
      default: report.text(context.style)
      }
    }
  }

  private static func bytes(of path: String, _ context: CommandContext) throws(InvalidInput) -> [UInt8] {
    path == "-"
      ? try context.input.readAll(limit: SavedReport.limit)
      : try FileContents.read(path, limit: SavedReport.limit)
  }
}
