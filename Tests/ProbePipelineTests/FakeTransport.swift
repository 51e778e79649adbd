import Locking
import ProbeCore

@testable import ProbePipeline

/// A transport in memory: a closure answers.
struct FakeTransport: ProbeTransport {
  let schemes: [URLScheme: Encryption]
  let executors: [any TaskExecutor]
  let answer: @Sendable (ProbeRequest) async throws -> ProbeResponse

  init(
    schemes: [URLScheme: Encryption] = [.http: .plaintext, .https: .encrypted, .tcp: .plaintext],
    executors: [any TaskExecutor] = [],
    answer: @escaping @Sendable (ProbeRequest) async throws -> ProbeResponse
  ) {
    self.schemes = schemes
    self.executors = executors
    self.answer = answer
  }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try await answer(request) }

  /// A registry with this transport alone.
  var registry: TransportRegistry {
    get throws {
      var registry = TransportRegistry()
      try registry.register(self)
      return registry
    }
  }
}

/// A gate that tasks wait at until it opens or they are cancelled.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var nextID = 0
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    var cancelled: Set<Int> = []
    var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Guarded(State())

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting.values.map(\.self)
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits for the gate to open.
  func pass() async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let (result, observers) = state.withLock {
          state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
          if state.isOpen { return (.success(()), []) }
          if state.cancelled.contains(id) { return (.failure(CancellationError()), []) }
          state.waiting[id] = continuation
          let count = state.waiting.count
          let reached = state.observers.filter { $0.count <= count }.map(\.continuation)
          state.observers.removeAll { $0.count <= count }
          return (nil, reached)
        }
        if let result { continuation.resume(with: result) }
        for observer in observers { observer.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.cancelled.insert(id)
        return state.waiting.removeValue(forKey: id)
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// Waits until so many tasks wait at the gate.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.waiting.count < count { state.observers.append((count, continuation)) }
        return state.waiting.count >= count
      }
      if isReached { continuation.resume() }
    }
  }
}

/// An answer of a server, noting the redirect it is as a prober does.
func answer(
  _ text: String, _ status: Int? = 200, fields: HeaderFields = [:], body: String = "",
  from address: String? = nil
) throws -> ProbeResponse {
  let url = try ProbeURL(text)
  let head = status.map { HTTPResponseHead(status: $0, fields: fields) }
  return ProbeResponse(
    url: url, head: head, body: Array(body.utf8),
    redirects: RedirectHop(of: head, from: url).map { [$0] } ?? [],
    remoteAddress: address.flatMap { IPAddress($0) }.map { SocketAddress($0, port: url.port ?? 1) })
}

/// Accepts a body that is the text.
struct BodyIs: ResponseValidator {
  let text: String
  var reason = ReasonCode.bodyMismatch

  func validate(_ response: ProbeResponse) -> Validation {
    response.body == Array(text.utf8)
      ? .accepted(captures: ["body": text])
      : .rejected(reason, expected: "the body \(Excerpt(text))", found: "\(Excerpt(response.body))")
  }
}

func probe(_ url: String, _ validator: (any ResponseValidator)? = nil) throws -> PlannedProbe {
  PlannedProbe(url: url, request: ProbeRequest(try ProbeURL(url)), validator: validator)
}

/// So many probes of so many hosts by turns.
func manyProbes(_ count: Int, hosts: Int) throws -> [PlannedProbe] {
  let probes = try (0..<hosts).map { try probe("https://host\($0).example/") }
  return (0..<count).map { probes[$0 % hosts] }
}

extension RunState {
  /// A run of one set that has to run to its end.
  init(_ probes: [PlannedProbe], limits: RunLimits) {
    let sets = [PlannedSet(name: "a", probes: probes)]
    self.init(
      sets, limits: limits, stopsEarly: false, asksCapport: false,
      progress: VerdictProgress(sets, success: .all, rules: nil, asksCapport: false))
  }
}
