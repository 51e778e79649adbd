// Names of version 0.2, for one version: docs/migration.md lists them.

/// The parts of a response that a validator examines, by its name in version 0.2.
@available(*, deprecated, renamed: "ResponseParts")
public typealias AnswerParts = ResponseParts

extension Redactor {
  /// The URL without the secrets.
  @available(*, deprecated, renamed: "redacted(_:)")
  public func url(_ url: ProbeURL) -> ProbeURL { redacted(url) }

  /// The response without the secrets.
  @available(*, deprecated, renamed: "redacted(_:)")
  public func response(_ response: ProbeResponse) -> ProbeResponse { redacted(response) }

  /// The failure without the secrets.
  @available(*, deprecated, renamed: "redacted(_:)")
  public func failure(_ failure: ProbeFailure) -> ProbeFailure { redacted(failure) }
}
