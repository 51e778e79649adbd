import ProbeKit

/// Whether this network is open to the Internet.
func isOpen() async throws -> Bool {
  let pipeline = try Pipeline("office") {
    try ProbeSet("google", "https://www.google.com/generate_204").validate(StatusValidator(204))
  }
  return try await pipeline.run(with: .bundled).verdict == .online
}
