import LoopbackServer
import TestRequirements

/// Ends, as skipped, a test of what a process takes of the machine where a sanitizer takes far more.
///
/// - Throws: What ends the test; it must not be caught.
func requirePlainBuild() throws {
  guard ProcessUse.isUnderSanitizer else { return }
  try skipTest("a sanitizer takes more of the machine than what is measured here")
}
