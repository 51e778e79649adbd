import TestSupport
import Testing

/// Whether this machine has `::1`.
package var hasIPv6: Bool { readText("/proc/net/if_inet6").contains(" lo\n") }

/// Ends a test that cannot run on this machine as skipped; the run reports the reason.
///
/// If the test returned instead, it would count as passed.
///
/// - Parameter reason: What is missing, such as `there is no openssl command`.
/// - Throws: The error that ends the test; it must not be caught.
package func skipTest(_ reason: String) throws -> Never {
  // Of a test with arguments it ends one case, which the run does not report.
  if let test = Test.current, test.isParameterized {
    print("➜ Test case of \(test.name) skipped: \"\(reason)\"")
  }
  try Test.cancel(Comment(rawValue: reason))
}
