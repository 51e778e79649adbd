import ConnectivityMonitor
import Foundation
import ProbeCommand
import ProbeCore
import TestRequirements
import Testing
import TestSupport
import ProbeSystem
import CommandKit

/// Compares the names in docs/migration.md with the sources, and checks that it covers every name of the
/// libraries that users migrate from.
@Suite struct MigrationTests {
  private static let root = projectRoot
  private let guide: String

  init() throws {
    guide = try String(contentsOf: Self.root.appending(path: "docs/migration.md"), encoding: .utf8)
  }

  /// The cells of the tables, without their headers.
  private var rows: [(theirs: String, ours: String)] {
    guide.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("| "), cells.count == 2, cells[0] != "there", cells[0] != "---" else { return nil }
      return (cells[0], cells[1])
    }
  }

  /// The code words in a cell, except those in string literals.
  private static func names(in cell: String) -> [String] {
    cell.matches(of: /`([^`]+)`/).flatMap { code in
      String(code.output.1).replacing(/"[^"]*"/, with: "").matches(of: /[A-Za-z_]\w*/).map {
        String($0.output)
      }
    }
  }

  /// Every word of code, except comments, in the modules that users import.
  private static func words() throws -> Set<String> {
    let folders = [
      "Sources/Features/ConnectivityMonitor", "Sources/Features/ConnectivityNotifications",
      "Sources/Probing/ProbeCore",
      "Sources/Base/ProbeBase", "Sources/Kits/ConnectivityKit",
      "Sources/Pipelines/ProbePipeline", "Plugins/Validators/Bodies", "Plugins/Validators/Patterns",
    ]
    var words: Set<String> = []
    for folder in folders {
      let path = root.appending(path: folder).path
      for case let file as String in FileManager.default.enumerator(atPath: path) ?? .init()
      where file.hasSuffix(".swift") {
        let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
        for line in text.split(separator: "\n") {
          let code = line.prefix { $0 != "/" }
          for word in code.matches(of: /[A-Za-z_]\w*/) { words.insert(String(word.output)) }
        }
      }
    }
    return words
  }

  @Test(.heavy) func ourNamesOnThePageExist() throws {
    let known = try Self.words().union(["ConnectivityKit", "ConnectivityNotifications", "await", "rtnetlink"])
    // Words from the Swift library, from examples, and from explanations of other libraries.
    let others: Set = [
      "AsyncSequence", "Duration", "URLSession", "connectivity", "observer", "reachable", "isDefault",
      "Examples",
      "Notifier",
    ]
    #expect(rows.count > 80)
    for (theirs, ours) in rows {
      for name in Self.names(in: ours) where !others.contains(name) {
        #expect(known.contains(name), "\(theirs): \(name)")
      }
    }
  }

  /// The names in Connectivity, including old ones, in Hyperconnectivity, in both libraries named
  /// Reachability, and in RKReachabilityObserver.
  static let theirs = """
    connectedViaWWAN connectedViaWWANWithoutInternet isConnectedViaWWAN isConnectedViaWWANWithoutInternet
    connectivityURLs connectivityURLRequests isHTTPSOnly shouldUseHTTPS currentReachabilityStatus bearerToken
    availableInterfaces checkWhenApplicationDidBecomeActive connectivityCheckLatency currentInterface
    expectedResponseRegEx expectedResponseString framework isConnected isPollingEnabled pollingInterval
    pollWhileOfflineOnly responseValidator status successThreshold urlSessionConfiguration validationMode
    whenConnected whenDisconnected description isConnectedViaCellular isConnectedViaWiFi isConnectedViaEthernet
    isConnectedViaCellularWithoutInternet isConnectedViaWiFiWithoutInternet isConnectedViaEthernetWithoutInternet
    checkConnectivity startNotifier stopNotifier ConnectivityPublisher ConnectivityDidChange
    configureAuthorizationHeader configureBearerToken configureConnectivity configureFramework configurePolling
    configureResponseValidation configureResponseValidator configureShouldCheckWhenApplicationDidBecomeActive
    configureURLSession configureValidationMode callbackQueue connectivityQueue defaultConnectivityURLRequests
    Hyperconnectivity isExpensive connectivityChanged reachabilityChanged ConnectivityResult ReachabilityResult
    shouldCheckConnectivity Percentage disconnected
    reachabilityWithHostName reachabilityWithAddress reachabilityForInternetConnection reachabilityForLocalWiFi
    connectionRequired kReachabilityChangedNotification NotReachable ReachableViaWiFi ReachableViaWWAN
    reachabilityObserverForHost reachabilityObserverForInternet reachabilityObserverForLocalWifi
    reachabilityObserverForAddress reachabilityObserverForInternetAddress reachabilityDetermined networkStatus
    isMonitoringLocalWiFi reachabilityFlags getFlags isNetworkReachable isReachableViaWWAN isReachableViaWiFi
    isConnectionRequired isConnectionOnDemand isInterventionRequired reachabilityFlagsDescription
    RKReachabilityDidChangeNotification RKReachabilityWasDeterminedNotification RKReachabilityIndeterminate
    ConnectivityResponseValidationMode responseValidationMode expectedResponse defaultRegularExpression
    NetworkConnected NetworkDisconnected
    hostname reachabilityRef whenReachable whenUnreachable connection wifi cellular unavailable none
    allowsCellularConnection notifierRunning notificationCenter ReachabilityError
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  @Test func theirNamesAreAllCovered() {
    let listed = Set(rows.flatMap { Self.names(in: $0.theirs) })
    for name in Self.theirs { #expect(listed.contains(name), "\(name)") }
    let cases = Set(rows.flatMap { Self.names(in: $0.theirs) })
    for status in ConnectivityStatus.allCases { #expect(cases.contains(status.rawValue), "\(status)") }
    for (theirs, ours) in rows { #expect(!ours.isEmpty, "\(theirs)") }
  }

  @Test func monitorVariablesAndOptionsMatchTheirPage() async throws {
    let page = try MarkdownPage("docs/monitor.md").text
    let output = MemoryOutput()
    let code = await CommandLineTool(plugins: PluginRegistry()).run(
      arguments: [Array("monitor".utf8), Array("--help".utf8)], output: output.sink(), errors: output.sink())
    #expect(code == .success)
    let variables = Set(output.text.matches(of: /PROBEKIT_[A-Z_0-9]+/).map { String($0.output) })
    #expect(variables.count == 21)
    for variable in variables { #expect(page.contains("`\(variable)`"), "\(variable)") }
    let options = Set(output.text.matches(of: /--[a-z-]+/).map { String($0.output) })
    for option in page.matches(of: /(?m)^\| `(--[a-z-]+)` \|/) {
      #expect(options.contains(String(option.output.1)), "\(option.output.1)")
    }
  }

  /// What `sed` renames on the page, it renames.
  @Test(.heavy) func theScriptRenamesAPackage() throws {
    var (old, expected) = ("", "")
    for row in guide.components(separatedBy: "## ProbeKit 0.2").last?.split(separator: "\n") ?? []
    where row.hasSuffix("| sed |") {
      let cells = row.split(separator: "|").map { String($0) }
      let new = try #require(Self.code(in: cells[1]).first)
      for name in Self.code(in: cells[0]) {
        old += Self.use(of: name) + "\n"
        expected += Self.use(of: new) + "\n"
      }
    }
    #expect(old.split(separator: "\n").count >= 20)
    let folder = try TemporaryFolder()
    let (before, after) = (try folder.write("old.swift", old), folder.path(of: "new.swift"))
    let script = Self.root.appending(path: "packaging/rename-0.3.sed").path
    #expect(
      try runProgram("sh", ["-c", "sed -E -f \"$1\" \"$2\" >\"$3\"", "sh", script, before, after]) == 0)
    #expect(readText(after) == expected)
  }

  /// A use of a name on the page.
  private static func use(of name: String) -> String {
    name.replacing("(_:with:)", with: "(ProbeRequest(url), with: body)").replacing("(_:)", with: "(request)")
  }

  /// The texts between backticks.
  private static func code(in cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
