// Names of version 0.2, for one version: docs/migration.md lists them.

/// A location in a file, by its name in version 0.2.
@available(*, deprecated, renamed: "FileLocation")
public typealias SourcePlace = FileLocation

extension SourceFinding {
  /// The location in the file.
  @available(*, deprecated, renamed: "location")
  public var place: FileLocation? {
    get { location }
    set { location = newValue }
  }

  /// Whether it is about a command-line argument, which then replaces the path.
  @available(*, deprecated, renamed: "isAboutArgument")
  public var isOfArgument: Bool { isAboutArgument }
}
