internal import CProbeLDNS

/// The reason why a message or a name is invalid.
package struct LDNSError: Error, Hashable, Sendable {
  /// The reason, as text to follow a colon.
  package let words: String

  init(_ words: String) {
    self.words = words
  }

  init(_ status: ldns_status) {
    words =
      unsafe ldns_get_errorstr_by_id(status).map { unsafe String(cString: $0) } ?? "error \(status.rawValue)"
  }
}

/// The library.
package enum LDNS {
  /// The version of libldns that is running.
  package static var libraryVersion: String { unsafe String(cString: ldns_version()) }
}
