import BundledPlugins
import Foundation
import ProbeCommand
import ProbeCore
import TestSupport
import Testing
@testable import CommandKit
@testable import ProbeSystem

/// `probekit replay` that runs alongside a test, in the same process.
final class RunningReplay: Sendable {
  /// The output of the command when it is ready.
  struct Announcement: Decodable {
    let schema: Int
    let fixtures: [String]
    let listeners: [String: String]
    let ca: String
    let control: Control?

    struct Control: Decodable {
      let address: String
      let token: String?
    }
  }

  private let task: Task<ExitCode, Never>
  private let output: Lines
  private let errors: Lines

  /// Starts it.
  init(_ arguments: [String]) throws {
    let (output, errors) = (Lines(), Lines())
    (self.output, self.errors) = (output, errors)
    let tool = CommandLineTool(plugins: try .bundled)
    task = Task {
      await tool.run(
        arguments: (["replay"] + arguments).map { Array($0.utf8) }, environment: ["LANG": "C.UTF-8"],
        output: output.sink, errors: errors.sink)
    }
  }

  deinit {
    task.cancel()
  }

  /// Waits for the line of JSON with its addresses.
  func announcement() async throws -> Announcement {
    try JSONDecoder().decode(Announcement.self, from: Data(try #require(await output.next()).utf8))
  }

  /// The next line on standard error.
  func nextError() async -> String? { await errors.next() }

  /// Stops it as a signal would.
  func stop() async -> ExitCode {
    task.cancel()
    return await task.value
  }

  /// The exit code, when the command ends.
  var exitCode: ExitCode { get async { await task.value } }
}

extension RunningReplay.Announcement {
  /// The port of a listener.
  func port(_ listener: String) throws -> UInt16 {
    try #require(listeners[listener]?.split(separator: ":").last.flatMap { UInt16($0) })
  }

  /// Sends an HTTP or HTTPS request, routed to the server as an operator would route a probe.
  func ask(_ url: String) async throws -> ProbeResponse {
    let url = try ProbeURL(url)
    var request = ProbeRequest(url)
    request.connectTo = [
      ConnectTo(host: nil, port: nil, targetHost: "127.0.0.1", targetPort: try port(url.scheme.name))
    ]
    // A busy machine makes both sides many times slower, and so does a sanitizer.
    request.timeout = .seconds(100)
    if url.scheme == .https { request.tls.onlyAuthorities = Array(try Data(contentsOf: URL(filePath: ca))) }
    return try await Prober(try PluginRegistry.bundled.transports, policy: .plaintextAllowed).probe(request)
  }
}

/// Lines as they are written.
private actor Lines {
  nonisolated let sink: OutputSink
  private var chunks: AsyncStream<String>.Iterator
  private var rest = ""

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    chunks = stream.makeAsyncIterator()
    sink = OutputSink { bytes throws(OutputSink.Failure) in
      continuation.yield(String(decoding: bytes, as: UTF8.self))
    }
  }

  func next() async -> String? {
    while true {
      if let end = rest.firstIndex(of: "\n") {
        defer { rest = String(rest[rest.index(after: end)...]) }
        return String(rest[..<end])
      }
      var iterator = chunks
      guard let chunk = await iterator.next(isolation: self) else { return nil }
      chunks = iterator
      rest += chunk
    }
  }
}
