import ProbeCore
import ProbePipeline
import ProbeScan
import CommandKit

/// The command-line options of `probekit scan`.
struct ScanOptions: ProbingCommandOptions {
  /// The pipeline with the settings and validators; nil for none.
  var pipeline: String?
  /// The files to read; empty for standard input.
  var inputs: [String] = []
  /// The options for probing and judging each URL.
  var check = CheckOptions()
  /// The common options of commands that probe.
  var probing: ProbingOptions {
    get { check.probing }
    set { check.probing = newValue }
  }
  /// The maximum number of concurrent probes; nil for that of the pipeline.
  var concurrency: Int?
  /// The maximum number of concurrent probes for one host; nil for that of the pipeline.
  var perHost: Int?
  /// The maximum number of concurrent probes for one address; nil for no limit.
  var perAddress: Int?
  /// The minimum interval between the starts of probes; nil for none.
  var interval: Duration?
  /// The folder for parts; nil for a scan that is not divided.
  var partsFolder: String?
  /// The number of lines of a part; nil for the default.
  var partLines: Int?
  /// The share of the lines to probe; nil for all.
  var shard: ScanShard?
  /// Whether special-purpose addresses may be probed.
  var allowsSpecialPurpose = false
  /// A file of hosts and addresses that are never probed; nil for none.
  var exclusionFile: String?
  /// Whether to omit the summary and the progress display.
  var isQuiet = false

  /// The default number of lines of a part.
  static let defaultPartLines = 100_000

  /// Whether the lines are read from standard input.
  var readsStandardInput: Bool { inputs.isEmpty || inputs.contains("-") }

  /// Whether the results are written to standard output.
  var writesToStandardOutput: Bool { partsFolder == nil && probing.outputFile == nil }

  /// The limits of the scan.
  ///
  /// - Parameter pipeline: The limits of the pipeline; nil if there is none.
  /// - Returns: The limits.
  func limits(else pipeline: RunLimits?) -> ScanLimits {
    let usual = ScanLimits()
    var limits = ScanLimits(
      concurrency: concurrency ?? pipeline?.concurrency ?? usual.concurrency,
      perHost: perHost ?? pipeline?.perHost ?? usual.perHost)
    (limits.perAddress, limits.interval) = (perAddress, interval)
    return limits
  }

  /// The rules about the hosts and addresses that may be probed.
  ///
  /// - Throws: `InvalidInput` if the file of exclusions cannot be read; `InvalidExclusions` with its errors.
  func targetRules() throws -> TargetRules {
    var list = ExclusionList()
    if let exclusionFile {
      let bytes: [UInt8]
      do throws(InvalidInput) { bytes = try FileContents.read(exclusionFile, limit: 256 << 20) } catch {
        throw InvalidInput(
          "--exclude: \(Excerpt(exclusionFile, limit: 200)): \(error.message)", remedy: error.remedy)
      }
      list = try ExclusionList(bytes)
    }
    return TargetRules(
      allowsPrivate: allowsSpecialPurpose, exclusions: list,
      remedy: "add --allow-private to probe it")
  }

  /// The errors in combinations of options.
  @Sendable static func mistakes(_ options: ScanOptions) -> [InvalidInput] {
    var mistakes = options.probing.mistakes
    let names = options.inputs + [options.pipeline].compactMap(\.self)
    let uses =
      names.count { $0 == "-" } + options.check.data.count { $0 == .input }
      + (options.inputs.isEmpty ? 1 : 0)
    mistakes += .when(
      uses > 1, "standard input is used for the URLs and for another file",
      remedy: "read the URLs from a file with --input, or name a file in place of -")
    mistakes += .when(
      options.partsFolder == nil && options.partLines != nil, "--part-lines is for a scan in parts",
      remedy: "add --parts, or omit the option")
    mistakes += .when(
      options.partsFolder != nil && options.probing.outputFile != nil,
      "--parts and --output cannot be combined", remedy: "omit one of them")
    return mistakes
  }

  /// The interval for a rate such as `50/s`, `30/m` or `2.5`.
  ///
  /// - Throws: `InvalidInput` if the text is not a valid rate.
  static func interval(ofRate text: String) throws(InvalidInput) -> Duration {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let units: [Substring: Double] = ["s": 1, "m": 60, "h": 3600]
    let isDecimal = parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    guard isDecimal, let count = Double(parts[0]), count.isFinite, count > 0, count <= 1_000_000,
      let unit = parts.count == 1 ? 1 : units[parts[1]], unit / count <= 86_400
    else {
      throw InvalidInput(
        "\(Excerpt(text)) is not a rate", remedy: "write a number of probes as 50/s, 30/m or 100/h")
    }
    return .seconds(unit / count)
  }
}
