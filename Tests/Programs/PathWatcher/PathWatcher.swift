import ConnectivityMonitor
import FoundationEssentials
import Glibc
import ProbeCore

/// Watches the network namespace that it runs in.
///
///     path-watcher [ROOM]               print each path as a line of JSON, and respond to lines on standard
///                                       input: "route ADDRESS", "reach host NAME", "reach address ADDRESS",
///                                       "reach internet", "reach wifi"; ends with the input. ROOM: bytes that the
///                                       kernel keeps for it
///     path-watcher --link-down NAME N   switch an interface off and on N times; print the delay until each change was
///                                       reported, in milliseconds
///     path-watcher --cycles N           start and stop N monitors, print how many threads and descriptors remain
///     path-watcher --idle SECONDS       print how often the monitor's thread woke up meanwhile
@main struct PathWatcher {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let number = arguments.last.flatMap { Int($0) }
    switch arguments.first {
    case "--link-down":
      try await LinkDown(name: arguments[arguments.startIndex + 1], count: number ?? 20).run()
    case "--cycles": try await Cycles(count: number ?? 1000).run()
    case "--idle": try await Idle(seconds: number ?? 5).run()
    default: try await watch(room: number)
    }
  }

  private static func watch(room: Int?) async throws {
    var tuning = PathMonitor.Tuning()
    if let room { tuning.room = room }
    let monitor = try PathMonitor(tuning)
    let printing = Task {
      var count = 0
      for await path in monitor.changes() {
        count += 1
        printLine(Line(number: count, path: PathRecord(path)))
      }
    }
    var observers: [ReachabilityObserver] = []
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      if words.first == "reach", let target = target(words.dropFirst()) {
        let observer = ReachabilityObserver(target, paths: monitor)
        observer.start {
          printLine(
            Line(
              observer: words.dropFirst().joined(separator: " "), reachability: $0.description,
              status: $0.status.rawValue))
        }
        observers.append(observer)
      } else if words.first == "route", let address = words.last.flatMap({ IPAddress($0) }) {
        let route = try monitor.route(to: address)
        printLine(Line(asked: address.description, route: route.map { .init($0, in: monitor.path) }))
      } else {
        printLine(["error": "what is \(line)?"])
      }
    }
    printing.cancel()
  }

  private static func target(_ words: ArraySlice<String>) -> ReachabilityTarget? {
    switch (words.first, words.last) {
    case ("internet", _): .internet
    case ("wifi", _): .localWiFi
    case ("host", let name?): .host(name)
    case ("address", let text?): IPAddress(text).map { .address($0) }
    default: nil
    }
  }

  private struct Line: Encodable {
    /// The number of paths so far.
    var number: Int?
    var path: PathRecord?
    /// The destination of a query, and its route.
    var asked: String?
    var route: PathRecord.Way?
    /// The observer, and its report.
    var observer: String?
    var reachability: String?
    var status: String?
  }
}

/// Prints a value as a line of JSON, at once.
func printLine(_ value: some Encodable) {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  do {
    let bytes = Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    _ = unsafe write(1, bytes, bytes.count)
  } catch {
    print("{\"error\":\"\(error)\"}")
  }
}
