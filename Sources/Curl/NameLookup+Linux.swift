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
    let first = FirstAnswer<Answer>()
    let timer = Task {
      if (try? await Task.sleep(for: time)) != nil { first.give(.timedOut) }
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      do {
        try WorkerThread(named: "probekit-dns") { first.give(lookUp(host, family)) }.detach()
      } catch {
        first.give(.failed("no thread left to look it up"))
      }
      return await first.wait()
    } onCancel: {
      first.give(.timedOut)
    }
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
