internal import CCurl

/// libcurl's multi handle, freed with its last reference.
///
/// The loop's thread alone works with it; every other thread may wake it and do nothing else. Both sides hold a
/// reference, so that a wake-up on its way to a loop that has just ended still finds a handle.
@safe final class MultiHandle {
  let pointer: UnsafeMutableRawPointer

  /// A handle, or nil when the machine has no memory or descriptor left for one.
  init?() {
    guard let pointer = unsafe curl_multi_init() else { return nil }
    // Without descriptors libcurl makes a handle that nobody can wake: a loop on it would sleep through everything.
    guard unsafe curl_multi_wakeup(pointer) == CURLM_OK else {
      _ = unsafe curl_multi_cleanup(pointer)
      return nil
    }
    unsafe self.pointer = pointer
  }

  deinit {
    _ = unsafe curl_multi_cleanup(pointer)
  }

  /// Ends the loop's sleep, or its next one.
  func wake() {
    _ = unsafe curl_multi_wakeup(pointer)
  }
}

// Safe because curl_multi_wakeup is thread-safe, and what else is done with the handle is done by one thread.
extension MultiHandle: @unchecked Sendable {}
