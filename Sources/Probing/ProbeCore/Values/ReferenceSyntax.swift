/// How a text of a file refers to a value: `${NAME}`.
///
/// Pipelines and fixtures have it in common. A dialog has captures of its own, where `$$` is a dollar sign; and the
/// `${1}` of a replacement is that of Go.
package enum ReferenceSyntax {
  /// What begins a reference.
  @inlinable package static var opening: String { "${" }
  /// What ends a reference.
  @inlinable package static var closing: String { "}" }
  /// What is written for the text that would begin a reference.
  @inlinable package static var escapedOpening: String { "$${" }
  /// What begins a reference to one of the variables of a pipeline.
  @inlinable package static var variable: String { "${vars." }
  /// What begins a reference to a value that an earlier step captured, which is known only in a run.
  @inlinable package static var step: String { "${steps." }

  /// Both ends of a reference to a value of an earlier step: as written, and percent-encoded in a URL.
  package static let stepEnds = [
    (start: step, end: closing), (start: "$%7Bsteps.", end: "%7D"), (start: "%24%7Bsteps.", end: "%7D"),
  ]

  /// Whether a text may refer to a value of an earlier step.
  package static func mayReferToStep(_ text: String) -> Bool { text.contains(step) }

  package static func refersToVariable(_ text: String) -> Bool { text.contains(variable) }
}
