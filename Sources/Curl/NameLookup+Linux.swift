import Locking
import Threading
internal import CProbeShims
internal import Glibc

/// Asks the system's resolver why a name has no address.
///
/// libcurl says only that a name could not be resolved. Whether the name does not exist, or nobody could be asked,
/// is a different finding; getaddrinfo(3) tells them apart.
public enum NameLookup {
  /// What the resolver says of a name.
  public enum Answer: Sendable {
    /// It has an address after all.
    case found
    /// It does not exist, or has no address of the family.
    case noSuchHost
    /// It could not be looked up; the resolver's words.
    case failed(String)
    /// No answer within the time.
    case timedOut
  }

  /// Looks a name up, on a thread of its own.
  public static func ask(
    _ host: String, family: TransferOptions.Family?, within time: Duration
  ) async -> Answer {
    let question = Question()
    let timer = Task {
      if (try? await Task.sleep(for: time)) != nil { question.answer(.timedOut) }
    }
    defer { timer.cancel() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        question.setWaiter(continuation)
        do {
          try WorkerThread(named: "probekit-dns") { question.answer(lookUp(host, family)) }.detach()
        } catch {
          question.answer(.failed("no thread left to look it up"))
        }
      }
    } onCancel: {
      question.answer(.timedOut)
    }
    return question.given
  }

  private static func lookUp(_ host: String, _ family: TransferOptions.Family?) -> Answer {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_family =
      switch family {
      case .v4: AF_INET
      case .v6: AF_INET6
      case nil: AF_UNSPEC
      }
    var list: UnsafeMutablePointer<addrinfo>?
    let result = unsafe getaddrinfo(host, nil, &hints, &list)
    if let list = unsafe list { unsafe freeaddrinfo(list) }
    switch result {
    case 0: return .found
    case EAI_NONAME, probe_no_address_of_family(): return .noSuchHost
    default:
      return unsafe .failed(gai_strerror(result).map { unsafe String(cString: $0) } ?? "error \(result)")
    }
  }
}

/// The first of several answers; whoever waits is woken when it is there, and reads it under the lock.
private final class Question: Sendable {
  private struct State {
    var waiter: CheckedContinuation<Void, Never>?
    var answer: NameLookup.Answer?
  }

  private let state = Guarded(State())

  var given: NameLookup.Answer { state.withLock { $0.answer } ?? .timedOut }

  func setWaiter(_ waiter: CheckedContinuation<Void, Never>) {
    let isGiven = state.withLock { state in
      if state.answer == nil { state.waiter = waiter }
      return state.answer != nil
    }
    if isGiven { waiter.resume() }
  }

  func answer(_ answer: NameLookup.Answer) {
    let waiter = state.withLock { state in
      state.answer = state.answer ?? answer
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }
}
