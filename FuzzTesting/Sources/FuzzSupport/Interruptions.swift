import Glibc

/// Calls a function of the system again as long as a signal interrupts it.
///
/// libFuzzer receives SIGALRM every few seconds, and its handler does not let the system resume the call by itself.
///
/// - Returns: The result; negative for any other error, which `errno` names.
public func uninterrupted<Number: SignedInteger>(_ call: () -> Number) -> Number {
  while true {
    let result = call()
    guard result < 0, errno == EINTR else { return result }
  }
}
