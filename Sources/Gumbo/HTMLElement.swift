/// One element of an HTML page, copied out of the parser's tree.
public struct HTMLElement: Hashable, Sendable {
  /// An attribute of an element.
  public struct Attribute: Hashable, Sendable {
    /// The name in lower case.
    public let name: String
    /// The value, character references decoded.
    public let value: String
  }

  /// The tag name in lower case.
  public let name: String
  /// The attributes in the order of the page; of several with one name the parser keeps the first.
  public let attributes: [Attribute]
  /// The text directly inside the element, character references decoded; that of elements within is not part of it.
  public let text: String

  /// The value of an attribute by its lower-case name, or nil.
  public subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }
}
