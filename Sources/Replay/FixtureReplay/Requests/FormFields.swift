internal import ProbeCore

/// The named fields of a form or a query, in order.
struct FormFields: Hashable, Sendable {
  /// The maximum size of content that is read as a form; larger content has no fields.
  static let maximumContent = 1 << 20
  /// The maximum number of fields; the rest is ignored.
  static let maximumFields = 1000

  /// The fields, with their encoding removed.
  private(set) var fields: [(name: [UInt8], value: [UInt8])] = []

  /// Fields without any.
  init() {}

  /// Reads `application/x-www-form-urlencoded` (WHATWG URL §5.1): a form's content, or a query without its `?`.
  init(urlEncoded content: some Collection<UInt8>) {
    guard content.count <= Self.maximumContent else { return }
    for part in content.split(separator: UInt8(ascii: "&")) where fields.count < Self.maximumFields {
      let name = part.prefix { $0 != UInt8(ascii: "=") }
      let value = part.dropFirst(name.count + 1)
      fields.append(
        (name.percentDecoded(readsPlusAsSpace: true), value.percentDecoded(readsPlusAsSpace: true)))
    }
  }

  /// Reads the form that a request sends, by its Content-Type.
  init(_ head: RequestHead, _ body: [UInt8]) {
    self.init()
    let type = ContentType(head.values(of: "Content-Type").first ?? "")
    switch type.name {
    case "application/x-www-form-urlencoded": self = FormFields(urlEncoded: body)
    case "multipart/form-data":
      guard let boundary = type.parameter("boundary"), body.count <= Self.maximumContent else { return }
      fields = MultipartReader(boundary: boundary, limit: Self.maximumFields).fields(of: body)
    default: return
    }
  }

  /// The values of the fields with this name.
  func values(of name: String) -> [[UInt8]] {
    fields.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
  }

  static func == (one: FormFields, other: FormFields) -> Bool {
    one.fields.elementsEqual(other.fields) { $0.name == $1.name && $0.value == $1.value }
  }

  func hash(into hasher: inout Hasher) {
    for field in fields {
      hasher.combine(field.name)
      hasher.combine(field.value)
    }
  }
}
