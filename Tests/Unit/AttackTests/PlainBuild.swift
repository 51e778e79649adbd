import TestRequirements
import TestSupport

/// Skips a test of resource use under a sanitizer, which uses far more.
///
/// - Throws: The error that ends the test; it must not be caught.
func requirePlainBuild() throws {
  guard Sanitizer.isPresent else { return }
  try skipTest("a sanitizer takes more of the machine than what is measured here")
}
