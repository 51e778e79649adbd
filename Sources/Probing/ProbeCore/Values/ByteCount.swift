/// A number of bytes, such as `64KiB`; see ``ValueSyntax``.
public struct ByteCount: Hashable, Sendable, Decodable {
  /// The number.
  public var bytes: Int

  /// Creates a number of bytes.
  public init(_ bytes: Int) {
    self.bytes = bytes
  }

  /// Decodes a number with or without a unit.
  ///
  /// - Throws: ``InvalidInput`` if the text is not a number of bytes.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self.init(try ValueSyntax.byteCount(text, in: 0...Int.max))
  }
}

extension ByteCount: SchemaProviding {
  /// A number of bytes.
  public static var schema: ValueSchema { .byteCount }
}
