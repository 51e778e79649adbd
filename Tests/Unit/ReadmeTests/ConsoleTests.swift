import FixtureReplay
import Foundation
import TestRequirements
import TestSupport
import Testing

/// Runs the `console` blocks of all pages and compares their output.
///
/// A path after the word `console` names a fixture: the block's probes reach that network. A name after any
/// other language names a file for the page's commands. `UPDATE_SNAPSHOTS=1` updates the output on the pages.
@Suite struct ConsoleTests {
  private static let pages = Result {
    try MarkdownPage.all().filter { page in page.blocks.contains { $0.language == "console" } }
  }

  @Test func thereArePages() throws {
    #expect(try Self.pages.get().count > 10)
  }

  @Test(.patience(minutes: 2), arguments: (try? pages.get()) ?? [])
  func theOutputMatchesThePage(_ page: MarkdownPage) async throws {
    let session = try ConsoleSession(page)
    var text = page.text
    var changed: [(range: Range<String.Index>, text: String)] = []
    for block in page.blocks where block.language == "console" {
      var shown = ""
      var isDifferent = false
      for step in try await session.run(block) {
        let isRight = ShownOutput(step.expected).matches(step.actual)
        isDifferent = isDifferent || !isRight
        let update = Self.updates ? ShownOutput(step.expected).updated(to: step.actual) : nil
        shown += step.command + (isRight ? step.expected : update ?? step.expected)
        guard update == nil else { continue }
        #expect(
          isRight, "\(page.path): \(step.command)shows:\n\(step.expected)and it prints:\n\(step.actual)")
      }
      if isDifferent { changed.append((block.range, shown)) }
    }
    await session.end()
    guard Self.updates, !changed.isEmpty else { return }
    for change in changed.reversed() { text.replaceSubrange(change.range, with: change.text) }
    try Data(text.utf8).write(to: MarkdownPage.root.appending(path: page.path))
  }

  private static let updates = ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1"
}

/// A command's output as a page shows it.
private struct ShownOutput {
  private let lines: [String]

  init(_ text: String) {
    lines = Self.lines(of: text)
  }

  /// Whether an output matches this one: a line `…` matches any number of lines, and a line that ends in `…`
  /// matches a longer line.
  func matches(_ actual: String) -> Bool {
    Self.matches(lines[...], Self.lines(of: actual)[...])
  }

  /// The new output, shortened like this one, or nil if this one omits lines before its end.
  func updated(to actual: String) -> String? {
    guard let cut = lines.firstIndex(of: "…") else { return actual }
    guard cut >= lines.count - 2 else { return nil }
    return actual.split(separator: "\n", omittingEmptySubsequences: false).prefix(cut).joined(separator: "\n")
      + "\n…\n"
  }

  private static func matches(_ expected: ArraySlice<String>, _ actual: ArraySlice<String>) -> Bool {
    guard let first = expected.first else { return actual.isEmpty }
    if first == "…" {
      return (0...actual.count).contains { matches(expected.dropFirst(), actual.dropFirst($0)) }
    }
    guard let line = actual.first else { return false }
    guard line == first || first.hasSuffix("…") && line.hasPrefix(first.dropLast()) else { return false }
    return matches(expected.dropFirst(), actual.dropFirst())
  }

  /// The lines with placeholders for varying parts: times, ports, dates and the names of temporary files.
  private static func lines(of text: String) -> [String] {
    text.replacing(/\b\d+(\.\d+)? (ms|s)\b/, with: "TIME")
      .replacing(/127\.0\.0\.1:\d{4,5}\b/, with: "127.0.0.1:PORT")
      .replacing(/\/tmp\/[\w.\/-]+/, with: "/tmp/FILE")
      .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "DATE")
      .replacing(/("?(?:connect|duration|firstByte|latency|resolve|tls|total|time|seconds)"?[ :=]+)[\d.e-]+/)
    {
      $0.output.1 + "N"
    }
      .replacing(/(_seconds(?:\{[^}]*\})?|_timestamp(?:\{[^}]*\})?) [\d.e+-]+/) { $0.output.1 + " N" }
      .replacing(/time="[\d.]+"/, with: "time=N")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.replacing(/[ ]+/, with: " ").trimmingCharacters(in: .whitespaces) }
  }
}

/// The commands of one page, run in a separate folder.
private final class ConsoleSession {
  /// A command as the page shows it, with the expected and the actual output.
  struct Step {
    let command: String
    let expected: String
    let actual: String
  }

  private let folder: TemporaryFolder
  private let probekit: String
  private var servers: [Spawned] = []
  /// Substitutions for values on the page: ports and the certificate file.
  private var standIns: [(shown: String, actual: String)] = []

  init(_ page: MarkdownPage) throws {
    folder = try TemporaryFolder()
    for name in ["Examples", "fixtures", "packaging"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(of: name), withDestinationPath: MarkdownPage.root.appending(path: name).path)
    }
    for block in page.blocks where block.language != "console" && !block.argument.isEmpty {
      if block.language == "sh" {
        try folder.write(program: block.argument, block.text)
      } else {
        try folder.write(block.argument, block.text)
      }
    }
    probekit = try builtProgram("probekit")
  }

  func run(_ block: MarkdownPage.Block) async throws -> [Step] {
    var network: ReplayServer?
    var routes: [String] = []
    if !block.argument.isEmpty {
      let fixture = try Fixture(folder: MarkdownPage.root.appending(path: block.argument).path)
      let server = try ReplayServer([fixture])
      network = server
      try folder.write(".ca.pem", server.authorityPEM)
      routes = [
        "--cacert", folder.path(of: ".ca.pem"), "--connect-to", ":80:\(server.address(of: .http))",
        "--connect-to", ":443:\(server.address(of: .https))",
      ]
      for port in [22, 25, 6379] { routes += ["--connect-to", ":\(port):\(server.address(of: .tcp))"] }
    }
    defer { network?.stop() }
    let steps = Self.steps(of: block.text)
    if let first = steps.first, first.command.hasPrefix("$ probekit serve ") {
      let others = Array(steps.dropFirst())
      return [try await serveProbes(first)] + (try await outputs(of: others, routes: routes))
    }
    if let first = steps.first, first.command.hasPrefix("$ probekit replay ") {
      return [try await serve(first)] + (try await outputs(of: Array(steps.dropFirst()), routes: routes))
    }
    return try await outputs(of: steps, routes: routes)
  }

  func end() async {
    for server in servers {
      server.send(SIGTERM)
      _ = try? await server.end()
    }
  }

  /// The commands of a block, each with its prompt, its continued lines and the output shown below it.
  private static func steps(of text: String) -> [(command: String, expected: String)] {
    var steps: [(command: String, expected: String)] = []
    var isContinued = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if isContinued {
        steps[steps.count - 1].command += line + "\n"
      } else if line.hasPrefix("$ ") {
        steps.append(("\(line)\n", ""))
      } else if !steps.isEmpty {
        steps[steps.count - 1].expected += line + "\n"
      }
      isContinued = line.hasSuffix("\\") && (isContinued || line.hasPrefix("$ "))
    }
    return steps
  }

  /// Starts a replay server on free ports, which later commands reach instead of the ports on the page.
  private func serve(_ step: (command: String, expected: String)) async throws -> Step {
    let arguments = step.command.dropFirst("$ probekit ".count).replacing(/--\w+-port \d+ ?/, with: "")
      .replacing(/(--control 127\.0\.0\.1:)\d+/) { "\($0.output.1)0" }
    let server = try Spawned("cd '\(folder.path)' && exec \"$0\" \(arguments)")
    servers.append(server)
    try await server.waits { server.output.contains(/CA certificate: .*\n/) }
    let addresses = /127\.0\.0\.1:\d+/
    for (shown, actual) in zip(step.expected.matches(of: addresses), server.output.matches(of: addresses)) {
      standIns.append((String(shown.output), String(actual.output)))
    }
    let file = /CA certificate: (.*)\n/
    if let shown = step.expected.firstMatch(of: file), let actual = server.output.firstMatch(of: file) {
      standIns.append((String(shown.output.1), String(actual.output.1)))
    }
    return Step(command: step.command, expected: step.expected, actual: shown(server.output))
  }

  /// Starts `probekit serve` on a free port, which later commands reach instead of the default port.
  private func serveProbes(_ step: (command: String, expected: String)) async throws -> Step {
    let arguments = step.command.dropFirst("$ probekit ".count).trimmingCharacters(in: .newlines)
    let command = "exec \"$0\" \(arguments) --web.listen-address 127.0.0.1:0"
    let server = try Spawned("cd '\(folder.path)' && \(command)")
    servers.append(server)
    let address = /listening on (127\.0\.0\.1:\d+)\n/
    try await server.waits { server.errors.contains(address) }
    if let actual = server.errors.firstMatch(of: address) {
      standIns.append(("127.0.0.1:9115", String(actual.output.1)))
    }
    return Step(command: step.command, expected: step.expected, actual: shown(server.errors))
  }

  /// Runs commands in one shell, so that `$?` is the status of the previous command.
  private func outputs(of steps: [(command: String, expected: String)], routes: [String]) async throws
    -> [Step]
  {
    guard !steps.isEmpty else { return [] }
    var script = """
      cd '\(folder.path)'
      export LC_ALL=C.UTF-8
      exec 2>&1 </dev/null
      probekit() {
        local command=$1 routes='\(routes.joined(separator: " "))'
        shift
        case $command in
        # On a busy machine, probes that the verdict does not need would be skipped.
        check | run) '\(probekit)' $command --all $routes "$@" ;;
        capture | monitor | scan) '\(probekit)' $command $routes "$@" ;;
        *) '\(probekit)' $command "$@" ;;
        esac
      }

      """
    // The command that the target runs once everything is built.
    let demo = "Examples/demo/run '\(URL(filePath: probekit).deletingLastPathComponent().path)'"
    for step in steps {
      let command = Self.replaced(
        standIns.map { ($0.shown, $0.actual) },
        in: step.command.dropFirst(2).replacing("make demo", with: demo))
      script += "\(command)status=$?; printf '\\001'; (exit $status)\n"
    }
    try folder.write(".script", script)
    let commands = try Spawned("exec bash '\(folder.path(of: ".script"))'")
    let late = Task { [servers] in
      try await Task.sleep(for: Spawned.patience / 2)
      let states = servers.map { "a server printed:\n\($0.output)\($0.errors)\nand waits:\n\($0.waits)" }
      Issue.record(
        "the commands did not end; they print:\n\(commands.output)\n\(states.joined(separator: "\n"))")
      commands.send(SIGKILL)
    }
    defer { late.cancel() }
    let end = try await commands.end()
    let outputs = end.output.split(separator: "\u{1}", omittingEmptySubsequences: false)
    return steps.enumerated().map { number, step in
      Step(
        command: step.command, expected: step.expected,
        actual: number < outputs.count ? shown(String(outputs[number])) : "")
    }
  }

  /// The output as a page would show it.
  private func shown(_ output: String) -> String {
    Self.replaced(
      standIns.map { ($0.actual, $0.shown) }, in: output.replacing("\r\n", with: "\n"))
  }

  /// Replaces all values at once: a server may have a port that the page shows for another one.
  private static func replaced(_ pairs: [(String, String)], in text: some StringProtocol) -> String {
    var text = String(text)
    for (index, pair) in pairs.enumerated() { text = text.replacing(pair.0, with: "\0\(index)\0") }
    for (index, pair) in pairs.enumerated() { text = text.replacing("\0\(index)\0", with: pair.1) }
    return text
  }
}
