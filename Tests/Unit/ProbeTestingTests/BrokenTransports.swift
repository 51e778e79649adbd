import Glibc
import ProbeBase
import ProbeCore

/// A transport that is correct except for one fault.
protocol BrokenTransport: ProbeTransport {}

extension BrokenTransport {
  var correct: ScriptedTransport { ScriptedTransport() }
  var schemes: [URLScheme: Encryption] { correct.schemes }
}

/// Follows redirects, as many HTTP clients do by default.
struct FollowsRedirects: BrokenTransport {
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    let response = try await correct.probe(request)
    guard let target = RedirectHop(of: response.head, from: response.url)?.target else { return response }
    var next = request
    next.url = target
    return try await correct.probe(next)
  }
}

/// Reads the entire body.
struct IgnoresMaxBody: BrokenTransport {
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    var request = request
    request.maxBody = .max
    return try await correct.probe(request)
  }
}

/// Truncates the body without reporting it.
struct CutsInSilence: BrokenTransport {
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    var response = try await correct.probe(request)
    response.bodyIsCut = false
    return response
  }
}

/// Accepts a head of any size.
struct IgnoresMaxHead: BrokenTransport {
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    var request = request
    request.maxHead = .max
    return try await correct.probe(request)
  }
}

/// Waits until it is cancelled.
struct IgnoresTheTimeout: BrokenTransport {
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    var request = request
    request.timeout = .seconds(3600)
    return try await correct.probe(request)
  }
}

/// Waits for the response in a separate task, which is never cancelled.
struct IgnoresCancellation: BrokenTransport {
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    let correct = correct
    return try await Task.detached { try await correct.probe(request) }.value
  }
}

/// A correct transport in a process that receives no processor time during a probe.
struct StarvesTheProcess: BrokenTransport {
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    if request.url.host == "silent", request.timeout < .seconds(0.5) {
      for _ in 0..<sysconf(Int32(_SC_NPROCESSORS_ONLN)) {
        Task.detached {
          try? await Task.sleep(for: .milliseconds(100))
          Self.block()
        }
      }
    }
    return try await correct.probe(request)
  }

  /// Blocks one of the threads of all tasks for a second.
  private static func block() { usleep(1_000_000) }
}

/// Throws the error of the underlying layer.
struct ThrowsAForeignError: BrokenTransport {
  struct SystemError: Error {
    var number: Int32
  }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    do {
      return try await correct.probe(request)
    } catch let failure as ProbeFailure where failure.reason == .connectRefused {
      throw SystemError(number: ECONNREFUSED)
    }
  }
}

/// Stores the current host in a variable that all probes share.
struct MixesUpResponses: BrokenTransport {
  private let host = Guarded("")

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    host.withLock { $0 = request.url.host }
    // The time that establishing a connection would take.
    try await correct.wait(for: .milliseconds(20))
    var response = try await correct.probe(request)
    let current = host.withLock { $0 }
    if current != request.url.host, !response.body.isEmpty {
      response.body = Array("this is \(current)".utf8)
    }
    return response
  }
}

/// Opens a file for each probe, and closes the files only when it is released.
final class LeaksDescriptors: BrokenTransport {
  private let opened = Guarded<[Int32]>([])

  deinit {
    opened.withLock { for descriptor in $0 { close(descriptor) } }
  }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    opened.withLock { $0.append(descriptor) }
    return try await correct.probe(request)
  }
}

/// Copies the server's text into the detail.
struct QuotesLineBreaks: BrokenTransport {
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    do {
      return try await correct.probe(request)
    } catch var failure as ProbeFailure where failure.reason == .connectRefused {
      failure.detail = "the server said: go away\r\nand do not come back"
      throw failure
    }
  }
}

/// Reports the connected address instead of the URL.
struct ClaimsAnotherURL: BrokenTransport {
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    var response = try await correct.probe(request)
    response.url = try ProbeURL("script://127.0.0.1/")
    return response
  }
}

/// Confuses milliseconds with seconds.
struct CountsMillisecondsAsSeconds: BrokenTransport {
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    var response = try await correct.probe(request)
    response.timings.connect = .seconds(3)
    response.timings.total = .seconds(4)
    return response
  }
}

/// Reports a refused connection as an unreachable host.
struct KnowsOneReason: BrokenTransport {
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    do {
      return try await correct.probe(request)
    } catch var failure as ProbeFailure where failure.reason == .connectRefused {
      failure.reason = .connectUnreachable
      throw failure
    }
  }
}

/// Has a scheme that is invalid in a URL in addition to a valid one.
struct HasAnUnderscoreInItsScheme: BrokenTransport {
  var schemes: [URLScheme: Encryption] { ["script": .encrypted, "my_script": .encrypted] }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try await correct.probe(request) }
}

/// Requires a port where none is needed.
struct RefusesItsOwnRequests: BrokenTransport {
  func check(_ request: ProbeRequest) throws(InvalidInput) {
    if request.url.port == nil { throw InvalidInput("the URL has no port", remedy: "give one") }
  }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try await correct.probe(request) }
}
