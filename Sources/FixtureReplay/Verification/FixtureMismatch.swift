public import ProbeCore
public import ProbePipeline

/// One way in which a run differs from what a fixture expects.
public struct FixtureMismatch: Hashable, Sendable {
  /// What differs.
  public enum Subject: String, Hashable, Sendable {
    /// The verdict is none of those expected.
    case verdict
    /// The login URL is another one, or there is none.
    case loginURL
  }

  /// What differs.
  public var subject: Subject
  /// What was expected, verdicts with ` or ` between them; it comes from a file, and is not escaped.
  public var expected: String
  /// What was found, or nil when nothing was; it comes from the network, and is not escaped.
  public var found: String?

  /// A difference.
  public init(_ subject: Subject, expected: String, found: String?) {
    self.subject = subject
    self.expected = expected
    self.found = found
  }
}

extension FixtureMismatch: CustomStringConvertible {
  /// What was expected and what was found, in one line that is safe to print.
  public var description: String {
    switch subject {
    case .verdict: "expected \(expected.escapedForDisplay), found \((found ?? "nothing").escapedForDisplay)"
    case .loginURL:
      "expected to log in at \(expected.escapedForDisplay), found \((found ?? "no login URL").escapedForDisplay)"
    }
  }
}

extension FixtureExpectation {
  /// In what a check's answer differs from this.
  ///
  /// Login URLs are the same when scheme, host, port and path are, an empty path being `/` (RFC 9110 §4.2.3). A login URL
  /// that is expected must be found, whichever of the verdicts was; where none is expected, any is right.
  ///
  /// - Parameters:
  ///   - verdict: The verdict that was found.
  ///   - found: The login URL that was found, or nil.
  ///   - comparesQueries: Whether login URLs must have the same query, too.
  /// - Returns: The differences; none when the answer is right.
  public func mismatches(
    verdict: Verdict, loginURL found: ProbeURL?, comparesQueries: Bool = false
  ) -> [FixtureMismatch] {
    var mismatches: [FixtureMismatch] = []
    if !verdicts.contains(verdict) {
      let expected = verdicts.map(\.rawValue).joined(separator: " or ")
      mismatches.append(FixtureMismatch(.verdict, expected: expected, found: verdict.rawValue))
    }
    if let loginURL, !Self.isSame(loginURL, found, comparesQueries: comparesQueries) {
      mismatches.append(FixtureMismatch(.loginURL, expected: loginURL, found: found?.string))
    }
    return mismatches
  }

  private static func isSame(_ expected: String, _ found: ProbeURL?, comparesQueries: Bool) -> Bool {
    // An expectation made in code may be no URL; one from a file always is.
    guard let found, let expected = try? ProbeURL(expected) else { return false }
    func path(_ url: ProbeURL) -> String { url.path.isEmpty ? "/" : url.path }
    return expected.scheme == found.scheme && expected.host == found.host && expected.port == found.port
      && path(expected) == path(found) && (!comparesQueries || expected.query == found.query)
  }
}
