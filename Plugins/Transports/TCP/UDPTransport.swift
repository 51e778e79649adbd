internal import ByteStreams
public import ProbeCore
package import ProbeSystem
import ProbeStreams

/// UDP: sends the datagrams of a ``Dialog``, and judges those that are received.
///
/// UDP has no connections, so a request needs a dialog that sends something and expects a response, or a
/// validator of the response. Each expect step examines single datagrams. Datagrams without a response are sent
/// again after 1, 2, 4, … seconds. The body of the response consists of the received datagrams, in order.
public struct UDPTransport: ProbeTransport {
  private let datagrams: DatagramConnector

  /// Creates a transport with its own event loops.
  public init() {
    self.init(loops: EventLoops())
  }

  /// Creates a transport that shares event loops with others.
  package init(loops: EventLoops) {
    datagrams = DatagramConnector(loops: loops)
  }

  /// UDP, without encryption.
  public var schemes: [URLScheme: Encryption] { [.udp: .plaintext] }

  /// The threads of its sockets.
  public var executors: [any TaskExecutor] { datagrams.executors }

  /// Checks that the URL has a port and no parts that UDP does not use, and that the dialog can succeed.
  ///
  /// - Throws: `InvalidInput` naming the part.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    try request.url.checkHostAndPort(examplePorts: "53")
    try datagrams.check(request)
    guard let script = request[Dialog.self]?.script else {
      throw InvalidInput(
        "a udp URL needs a dialog: UDP has no connection to check",
        remedy: "add a dialog that sends something and expects a response")
    }
    if let problem = script.datagramProblem(isJudged: request.expectation != nil) {
      throw problem.about("dialog")
    }
    let problem = script.problem(maxBody: request.maxBody, isEncrypted: false, secrets: request.otherSecrets)
    if let problem { throw problem }
  }

  /// The keys for connections except `proxy`, and `dialog`.
  public func requestKeys(for scheme: URLScheme) -> [RequestKey] {
    // UDP has neither redirects nor proxies.
    (RequestKey.common + RequestKey.connection).filter { $0.name != "redirects" && $0.name != "proxy" }
      + [.dialog]
  }

  /// Sends the datagrams of the dialog, and receives the responses.
  ///
  /// - Throws: `ProbeFailure` with the reason and everything learned so far.
  public func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try refuseInvalid(request)
    return try await probe(checked: request)
  }
}

extension UDPTransport: CheckedTransport {
  package func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
    guard let script = request[Dialog.self]?.script else {
      throw ProbeFailure(.invalidRequest, "a udp URL needs a dialog")
    }
    var result = try await datagrams.converse(
      UDPConversation(script, for: request), over: .udp, for: request)
    var conversation = result.conversation
    if !result.isComplete { conversation.timePassed() }
    var response = conversation.response
    (response.timings.resolve, response.timings.total) = (
      result.response.timings.resolve, result.response.timings.total
    )
    response.connection = result.response.connection
    if let failure = conversation.failure {
      throw ProbeFailure(failure.reason, failure.detail, partial: response)
    }
    guard let error = conversation.networkError else { return response }
    result.response = response
    throw result.failure(error)
  }
}
