/// A time as written, such as `5s`, for options that keep it so.
///
/// Whether it is a time is found out where it is used; see ``ValueSyntax``.
package struct DurationText: Hashable, Sendable {
  /// The time as written.
  package var text: String
}

extension DurationText: Decodable {
  /// Decodes a text.
  package init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }
}

extension DurationText: DescribedForm {
  /// A time.
  package static func form(describing other: (any Decodable.Type) -> ValueForm) -> ValueForm { .duration }
}
