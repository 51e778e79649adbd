private import Glibc
public import ProbeCore

/// The arguments of a benchmark: the request, the number of probes, and how many run at a time.
public struct BenchArguments: Sendable {
  /// The request; that of the first probe if each has its own URL.
  public var request: ProbeRequest { request(of: 0) }
  private let template: ProbeRequest
  /// The URL before and after {n}, which is replaced by the number of the probe.
  private let parts: (before: String, after: String)?
  /// The number of probes.
  public let count: Int
  /// How many run at a time.
  public let concurrency: Int
  /// The number of threads; nil for one per processor.
  public let threads: Int?

  /// The arguments of this process; ends it if they are invalid.
  public static func read() -> BenchArguments {
    let arguments = CommandLine.arguments
    let parts = arguments.count > 1 ? halves(of: arguments[1]) : nil
    guard arguments.count >= 4, let url = try? ProbeURL(parts.map { "\($0)0\($1)" } ?? arguments[1]),
      let count = positive(arguments[2]), let concurrency = positive(arguments[3])
    else { failUsage() }
    var request = ProbeRequest(url)
    if arguments.count > 4, !arguments[4].isEmpty { request.tls.additionalAuthorities = arguments[4] }
    if arguments.count > 5 {
      guard let timeout = positive(arguments[5]) else { failUsage() }
      request.timeout = .milliseconds(timeout)
    }
    let threads = arguments.count > 6 ? positive(arguments[6]) : nil
    if arguments.count > 6, threads == nil { failUsage() }
    return BenchArguments(
      template: request, parts: parts, count: count, concurrency: concurrency, threads: threads)
  }

  /// The request of a probe, counted from 0.
  public func request(of probe: Int) -> ProbeRequest {
    guard let parts, let url = try? ProbeURL("\(parts.before)\(probe)\(parts.after)") else { return template }
    var request = template
    request.url = url
    return request
  }

  private static func halves(of url: String) -> (before: String, after: String)? {
    let parts = url.split(separator: "{n}", omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  private static func positive(_ text: String) -> Int? {
    Int(text).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func failUsage() -> Never {
    let usage = "usage: \(CommandLine.arguments[0]) URL COUNT CONCURRENCY [CA-FILE [TIMEOUT-MS [THREADS]]]\n"
    unsafe write(STDERR_FILENO, usage, usage.utf8.count)
    exit(64)
  }
}
