import FuzzSupport
@testable import FixtureReplay

/// Any bytes as a form, and its fields in a page, in JSON and in a header field: the work is proportional,
/// nothing is read that was not sent, and no value breaks out of its position.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzForm(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  var fields: [(name: [UInt8], value: [UInt8])] = []
  checkWork(of: count) {
    fields = FormFields(urlEncoded: bytes).fields
    fields += MultipartReader(boundary: Array("xy".utf8), limit: FormFields.maximumFields).fields(of: bytes)
    // The bytes as the parameters of a field.
    _ = ContentType(String(decoding: bytes, as: UTF8.self)).parameter("boundary")
  }
  precondition(fields.count <= 2 * FormFields.maximumFields, "more fields than the limit")
  precondition(
    fields.reduce(0) { $0 + $1.name.count + $1.value.count } <= 2 * count, "more bytes than were sent")
  for field in fields.prefix(20) { checkPositions(of: String(decoding: field.value, as: UTF8.self)) }
  return 0
}

private let variable = TemplateVariable.requestURL

/// Checks a value in each position: it contains nothing that could end the position.
private func checkPositions(of value: String) {
  func written(_ syntax: TemplatePosition.Syntax, _ url: TemplatePosition.URLPart? = nil) -> [UInt8] {
    Array(TemplatePosition(syntax: syntax, url: url).escaped(value, of: variable).utf8)
  }
  func check(_ text: [UInt8], has excluded: String, _ position: String) {
    precondition(!text.contains { excluded.utf8.contains($0) }, "a value breaks out of \(position)")
  }
  check(written(.markup(isUnquoted: false)), has: "<>\"'`=", "a text of a page")
  check(written(.markup(isUnquoted: true)), has: "<>\"'`= \t\r\n\u{C}", "an attribute without quotes")
  check(written(.script), has: "<>\"'`&/ \r\n()", "a script")
  check(written(.jsonString).filter { $0 < 0x20 }, has: "\r\n\t\u{0}", "a string of JSON")
  check(written(.header(isQuoted: false)), has: "\r\n\u{0};,\"", "a header field")
  for part in [TemplatePosition.URLPart.start, .path, .query] {
    check(written(.header(isQuoted: false), part), has: " \r\n\u{0}<>\"'\\", "a URL")
    check(written(.markup(isUnquoted: true), part), has: " \r\n\u{0}<>\"'`", "a URL in a page")
  }
  check(written(.plain, .query), has: "&=#?/:", "a query")
}
