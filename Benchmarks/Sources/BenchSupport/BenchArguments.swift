private import Glibc
public import ProbeCore

/// What a benchmark of probes is told: the request, how often it is made, and how many at a time.
public struct BenchArguments: Sendable {
  /// The request.
  public let request: ProbeRequest
  /// How often it is made.
  public let count: Int
  /// How many run at a time.
  public let concurrency: Int

  /// The arguments of this process; ends it when they are wrong.
  public static func read() -> BenchArguments {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4, let url = try? ProbeURL(arguments[1]),
      let count = positive(arguments[2]), let concurrency = positive(arguments[3])
    else { failUsage() }
    var request = ProbeRequest(url)
    if arguments.count > 4, !arguments[4].isEmpty { request.tls.additionalAuthorities = arguments[4] }
    if arguments.count > 5 {
      guard let timeout = positive(arguments[5]) else { failUsage() }
      request.timeout = .milliseconds(timeout)
    }
    return BenchArguments(request: request, count: count, concurrency: concurrency)
  }

  private static func positive(_ text: String) -> Int? {
    Int(text).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func failUsage() -> Never {
    let usage = "usage: \(CommandLine.arguments[0]) URL COUNT CONCURRENCY [CA-FILE [TIMEOUT-MS]]\n"
    unsafe write(STDERR_FILENO, usage, usage.utf8.count)
    exit(64)
  }
}
