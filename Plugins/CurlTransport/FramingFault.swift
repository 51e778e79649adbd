internal import Curl
internal import ProbeCore

/// Why an answer that libcurl takes for a whole one need not be one.
enum FramingFault: Hashable, Sendable {
  /// Its lengths are none, are too large, or differ (RFC 9112 §6.3).
  case contentLength
  /// The body ends with the connection, and the connection ended without TLS close_notify (RFC 9112 §9.8): an attacker
  /// on the path can cut it anywhere.
  case noCloseNotify
}

extension TransferResult {
  /// What is wrong with how an answer says where it ends; nil when nothing is.
  ///
  /// What was cut at a limit of ours need not end, and in HTTP/2 the frames say where an answer ends.
  func framingFault(_ request: ProbeRequest) -> FramingFault? {
    guard code == .ok, let head = HTTPResponseHead(wireBytes: answer.wholeLines) else { return nil }
    guard let length = head.fields.contentLength else { return .contentLength }
    guard !hasCloseNotify, head.version != "2", length == .none, head.fields["Transfer-Encoding"] == nil,
      request.http.method != "HEAD", head.status >= 200, head.status != 204, head.status != 304
    else { return nil }
    return .noCloseNotify
  }
}

/// What Content-Length says.
private enum ContentLength: Hashable {
  case none
  case bytes(Int64)
}

extension HeaderFields {
  /// What the fields say of the length; nil for what is no length, or more than one.
  fileprivate var contentLength: ContentLength? {
    var length = ContentLength.none
    for value in values(for: "Content-Length") {
      // The same number several times counts as one (RFC 9110 §8.6).
      for part in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
        let digits = Substring(part).trimmingSpaces
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
          let bytes = Int64(digits),
          length == .none || length == .bytes(bytes)
        else { return nil }
        length = .bytes(bytes)
      }
    }
    return length
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    var rest = drop { $0 == " " || $0 == "\t" }
    while rest.last == " " || rest.last == "\t" { rest.removeLast() }
    return rest
  }
}
