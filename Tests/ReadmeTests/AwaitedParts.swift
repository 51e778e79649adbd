/// What the pages name and another part of this change brings.
enum AwaitedParts {
  /// Pages that `make reference` writes.
  static let pages: Set = [
    "docs/cli/probekit.md", "docs/pipeline-reference.md", "docs/fixture-reference.md", "docs/reason-codes.md",
  ]
  /// Commands of `probekit`.
  static let commands: Set = ["manual", "completion"]
  /// Targets of `make`.
  static let targets: Set = ["install", "uninstall", "deb", "dist", "reference", "ci-full"]

  /// Whether a path is one of a page that is written later.
  static func contains(page path: String) -> Bool {
    pages.contains(path) || path.hasPrefix("docs/cli/")
  }
}
