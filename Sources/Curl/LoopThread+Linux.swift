internal import CProbeShims
internal import Glibc

/// Starts a detached thread with all signals blocked.
///
/// Blocked signals matter: OpenSSL writes with write(2), and a peer that hung up must be an error, not a SIGPIPE
/// that ends the program. The handlers of the program's own threads are not disturbed.
///
/// - Returns: false when the machine has no thread left.
func startThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
  final class Start {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

  var all = sigset_t()
  var before = sigset_t()
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

  let start = unsafe Unmanaged.passRetained(Start(name, body))
  var thread = pthread_t()
  let result = unsafe pthread_create(
    &thread, &attributes,
    { argument in
      guard let argument = unsafe argument else { return nil }
      let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
      unsafe probe_name_this_thread(start.name)
      start.body()
      return nil
    }, start.toOpaque())
  if result != 0 { unsafe start.release() }
  return result == 0
}
