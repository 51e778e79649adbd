/// Splits received bytes into requests, and keeps the bytes that belong to no request yet.
package struct BufferedRequestReader: Sendable {
  private var reader: RequestReader
  /// A slice, so that a request can be removed from its start without moving the rest.
  private var unread: ArraySlice<UInt8> = []
  /// The number of unread bytes that have been searched for the end of a head.
  private var scanned = 0

  /// Creates a reader for one connection, with the limits of ``RequestReader``.
  package init(maximumHead: Int, maximumBody: Int) {
    reader = RequestReader(maximumHead: maximumHead, maximumBody: maximumBody)
  }

  /// The number of received bytes that belong to no request yet.
  package var count: Int { unread.count }

  /// The head of the request whose content is being received, or nil.
  package var unfinishedHead: WireRequest? { reader.unfinishedHead }

  /// Appends received bytes.
  package mutating func receive(_ bytes: [UInt8]) {
    if unread.isEmpty { unread = bytes[...] } else { unread += bytes }
  }

  /// Reads the next event from the received bytes.
  ///
  /// - Throws: ``WireFault``; the rest of the connection cannot be read, and is dropped.
  package mutating func next() throws(WireFault) -> RequestReader.Event {
    guard !unread.isEmpty else { return .needsMore }
    do throws(WireFault) {
      let (bytes, searched) = (unread, scanned)
      var taken = 0
      let event = try reader.next(bytes.span, scanned: searched, taken: &taken)
      unread = taken == unread.count ? [] : unread.dropFirst(taken)
      scanned = 0
      if case .needsMore = event { scanned = unread.count }
      return event
    } catch {
      (unread, scanned) = ([], 0)
      throw error
    }
  }
}
