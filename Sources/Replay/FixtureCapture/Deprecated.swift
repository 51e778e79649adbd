// Names of version 0.2, for one version: docs/migration.md lists them.

extension CaptureRedaction.Replacement {
  /// Where it was recognized.
  @available(*, deprecated, renamed: "location")
  public var place: String {
    get { location }
    set { location = newValue }
  }

  /// The placeholder.
  @available(*, deprecated, renamed: "placeholder")
  public var standIn: String {
    get { placeholder }
    set { placeholder = newValue }
  }
}
