/// The fields of a request's query and form; each is read at its first use.
final class RequestFields {
  /// The fields of the query.
  private(set) lazy var query = head.map { FormFields(urlEncoded: $0.query) } ?? FormFields()
  /// The fields of the form.
  private(set) lazy var form = head.map { FormFields($0, body) } ?? FormFields()

  private let head: RequestHead?
  private let body: [UInt8]

  /// Creates the fields of a request.
  init(_ head: RequestHead?, _ body: [UInt8]) {
    self.head = head
    self.body = body
  }
}
