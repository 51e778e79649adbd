import CurlTransport
import LoopbackServer
import ProbeCore
import TestSupport
import Testing
import ProbeSystem

@testable import BundledPlugins

/// The clients that the tests are run with.
enum Client: String, CaseIterable, Sendable {
  /// ProbeKit's own client, and libcurl for protocols that it lacks.
  case own
  case curl

  /// The client of the running test.
  static var current: Client { chosen ?? .own }
  static var isChosen: Bool { chosen != nil }
  @TaskLocal static var chosen: Client?

  // One of each for all tests, as a program has one.
  static let recording = HTTPClients(loops: EventLoops())
  private static let curlTransport = LibcurlTransport()

  /// A new transport.
  var newTransport: any ProbeTransport {
    switch self {
    case .own: HTTPClients(loops: EventLoops())
    case .curl: LibcurlTransport()
    }
  }

  var transport: any ProbeTransport {
    switch self {
    case .own: Self.recording
    case .curl: Self.curlTransport
    }
  }
}

/// The transport of the running test.
var transport: any ProbeTransport { Client.current.transport }

/// Runs each test with these clients, one after the other.
struct ClientsTrait: SuiteTrait, TestTrait, TestScoping {
  let clients: [Client]

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // The clients of a test override those of its suite.
    let clients = test.traits.compactMap { $0 as? ClientsTrait }.last?.clients
    guard testCase != nil, self.clients == clients else { return try await function() }
    let isTurn = !Client.isChosen
    guard isTurn else { return try await function() }
    for client in self.clients {
      try await Client.$chosen.withValue(client) {
        try await IssueHandlingTrait.compactMapIssues { issue in
          var issue = issue
          issue.comments.append("by the client \(client.rawValue)")
          return issue
        }.provideScope(for: test, testCase: testCase, performing: function)
      }
    }
  }
}

extension Trait where Self == ClientsTrait {
  /// Runs each test with each client.
  static var eachClient: Self { ClientsTrait(clients: Client.allCases) }
  /// Runs each test with ProbeKit's own client alone.
  static var ownAlone: Self { ClientsTrait(clients: [.own]) }
  /// Runs each test with libcurl alone.
  static var curlAlone: Self { ClientsTrait(clients: [.curl]) }
}

/// A request to a server, with a timeout long enough for a loaded machine unless the test is about timeouts.
func request(
  _ url: String, timeout: Duration = .seconds(60), _ adjust: (inout ProbeRequest) throws -> Void = { _ in }
) throws -> ProbeRequest {
  var request = ProbeRequest(try ProbeURL(url))
  request.timeout = timeout
  try adjust(&request)
  return request
}

/// The failure of a request, or nil if there is a response.
func failure(of request: ProbeRequest) async throws -> ProbeFailure? {
  do {
    _ = try await transport.probe(request)
    return nil
  } catch let failure as ProbeFailure {
    return failure
  }
}

/// The failure of a request that times out in the phase of this reason, and its timeout.
///
/// A loaded machine may need longer to reach that phase: while the request times out in an earlier one, its
/// timeout is extended.
func timeout(
  of request: ProbeRequest, in reason: ReasonCode
) async throws -> (failure: ProbeFailure?, limit: Duration) {
  let phases: [ReasonCode] = [.resolveTimeout, .connectTimeout, .tlsTimeout, .responseTimeout, .bodyTimeout]
  let earlier = phases.prefix { $0 != reason }
  return try await withGrowingLimit(
    from: .milliseconds(300),
    while: { (ending: (failure: ProbeFailure?, limit: Duration)) in
      ending.failure.map { earlier.contains($0.reason) } ?? false
    }
  ) { limit in
    var request = request
    request.timeout = limit
    return (failure: try await failure(of: request), limit: limit)
  }
}

extension LoopbackServer {
  /// The URL of this server with `https` and a host name of its certificate.
  var secureURL: String { "https://localhost:\(port)/" }
}

extension ProbeRequest {
  /// Uses a proxy on loopback.
  mutating func use(
    _ proxy: LoopbackServer, as scheme: String = "http", user: String? = nil, password: String? = nil
  ) throws {
    self.proxy = try ProbeProxy(
      "\(scheme)://\(scheme == "https" ? "localhost" : "127.0.0.1"):\(proxy.port)", user: user,
      password: password.map { Secret($0) })
  }
}
