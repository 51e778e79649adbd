internal import ProbeCore

/// The information from one source about the network's captive-portal API (RFC 8910 §2).
package struct Announcement: Hashable, Sendable {
  /// The method by which a client learns of the API.
  package enum Method: String, Hashable, Sendable, CaseIterable {
    /// DHCPv4, option 114 (RFC 8910 §2.1).
    case dhcpv4
    /// DHCPv6, option 103 (RFC 8910 §2.2).
    case dhcpv6
    /// A router advertisement, option 37 (RFC 8910 §2.3).
    case routerAdvertisement
    /// Any of the above: the source stores a single text for all of them.
    case combined
    /// None of the above: the user or a fixture provides the text.
    case given
  }

  /// The information from a source.
  package enum Finding: Hashable, Sendable {
    /// The network announces this text, which is not validated.
    ///
    /// It has at most ``Announcement/maximumLength`` bytes, may be empty, and may contain any character.
    case announced(String)
    /// The client requested an announcement, but the network provides none.
    case absent
    /// The source does not show whether the network announces one.
    ///
    /// The reason is a clause such as "the lease has expired", safe to print.
    case unknown(String)
  }

  /// The maximum length of an announced text in bytes.
  package static let maximumLength = 4096

  package var method: Method
  /// The information from the source.
  package var finding: Finding
  /// The source, such as the path of a lease file: one line, safe to print.
  package var origin: String

  /// Creates an announcement; the name of its source is made safe to print.
  package init(_ method: Method, _ finding: Finding, origin: String) {
    self.method = method
    self.finding = finding
    self.origin = origin.escapedForDisplay
  }

  /// Creates an announcement of a text that the user or a fixture provides instead of the network.
  package static func given(_ text: String, by origin: String) -> Announcement {
    Announcement(.given, Finding(value: Array(text.utf8)), origin: origin)
  }

  /// The announced text, which is not validated; nil if there is none, or if that is unknown.
  package var text: String? {
    guard case .announced(let text) = finding else { return nil }
    return text
  }

  /// The reason why it is unknown whether the network announces one; nil if it is known.
  package var unknownReason: String? {
    guard case .unknown(let reason) = finding else { return nil }
    return reason
  }
}

extension Announcement.Method {
  /// The method in words, such as `DHCPv4`.
  package var words: String {
    switch self {
    case .dhcpv4: "DHCPv4"
    case .dhcpv6: "DHCPv6"
    case .routerAdvertisement: "router advertisement"
    case .combined: "DHCP or router advertisement"
    case .given: "given"
    }
  }
}

extension Announcement.Finding {
  /// The value of an option.
  ///
  /// A sender should not terminate it with a NUL, but a client must expect that (RFC 2132 §2).
  init(value: some BidirectionalCollection<UInt8>) {
    var value = value[...]
    while value.last == 0 { value = value.dropLast() }
    // The limit applies to the text, because a byte that is not UTF-8 becomes three bytes.
    let text = String(decoding: value.prefix(Announcement.maximumLength + 1), as: UTF8.self)
    self =
      text.utf8.count <= Announcement.maximumLength
      ? .announced(text) : .unknown("the announced text has more than \(Announcement.maximumLength) bytes")
  }
}
