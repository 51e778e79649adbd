// Names of version 0.2, for one version: docs/migration.md lists them.

extension Redactor {
  /// The text without the secrets.
  @available(*, deprecated, renamed: "redacted(_:)")
  public func text(_ text: String) -> String { redacted(text) }

  /// The bytes without the secrets.
  @available(*, deprecated, renamed: "redacted(_:)")
  public func bytes(_ bytes: [UInt8]) -> [UInt8] { redacted(bytes) }
}
