internal import ProbeCore

/// The named fields of a form or a query, in order.
struct FormFields: Hashable, Sendable {
  /// The maximum size of content that is read as a form; larger content has no fields.
  static let maximumContent = 1 << 20
  /// The maximum number of fields; the rest is ignored.
  static let maximumFields = 1000

  /// The fields, with their encoding removed.
  private(set) var fields: [(name: [UInt8], value: [UInt8])] = []

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

/// The fields of a request's query and form; each is read at its first use.
final class RequestFields {
  private(set) lazy var query = head.map { FormFields(urlEncoded: $0.query) } ?? FormFields()
  private(set) lazy var form = head.map { FormFields($0, body) } ?? FormFields()

  private let head: RequestHead?
  private let body: [UInt8]

  init(_ head: RequestHead?, _ body: [UInt8]) {
    self.head = head
    self.body = body
  }
}

/// Reads the fields of `multipart/form-data` (RFC 7578).
///
/// It takes time proportional to the content. Parts without a name are skipped, and what follows the last whole part
/// is ignored.
struct MultipartReader {
  private let delimiter: [UInt8]
  private let limit: Int

  /// Creates a reader for content with a boundary, which reads at most this number of fields.
  init(boundary: [UInt8], limit: Int) {
    delimiter = Array("\r\n--".utf8) + boundary
    self.limit = limit
  }

  func fields(of body: [UInt8]) -> [(name: [UInt8], value: [UInt8])] {
    // RFC 2046 §5.1.1: a boundary has 1 to 70 characters.
    guard (5...74).contains(delimiter.count) else { return [] }
    var fields: [(name: [UInt8], value: [UInt8])] = []
    let first = delimiter.dropFirst(2)
    var start: Int
    if body.starts(with: first) {
      start = first.count
    } else if let end = delimiterStart(in: body, from: 0) {
      start = end + delimiter.count
    } else {
      return []
    }
    while fields.count < limit, let content = lineEnd(in: body, from: start),
      let end = delimiterStart(in: body, from: content - 2)
    {
      if let field = Self.field(body[content..<max(content, end)]) { fields.append(field) }
      start = end + delimiter.count
    }
    return fields
  }

  /// The end of a delimiter's line, or nil after the last delimiter, which ends with `--`.
  private func lineEnd(in body: [UInt8], from start: Int) -> Int? {
    var index = start
    while index < body.count, body[index].isFieldSpace {
      index += 1
    }
    return body[index...].starts(with: "\r\n".utf8) ? index + 2 : nil
  }

  private func delimiterStart(in body: [UInt8], from start: Int) -> Int? {
    var index = start
    while let next = body[index...].firstIndex(of: UInt8(ascii: "\r")) {
      if body[next...].starts(with: delimiter) { return next }
      index = next + 1
    }
    return nil
  }

  /// The field in a part, or nil if it has no name.
  private static func field(_ part: ArraySlice<UInt8>) -> (name: [UInt8], value: [UInt8])? {
    var rest = part
    var name: [UInt8]?
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[rest.startIndex..<end].filter { $0 != UInt8(ascii: "\r") }
      rest = rest[(end + 1)...]
      if line.isEmpty { return name.map { ($0, Array(rest)) } }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
        String(decoding: line[..<colon], as: UTF8.self).lowercased() == "content-disposition"
      else { continue }
      // As bytes, because a form may have an encoding other than UTF-8.
      name = HeaderParameters(line[(colon + 1)...]).value(of: "name")
    }
    return nil
  }
}
