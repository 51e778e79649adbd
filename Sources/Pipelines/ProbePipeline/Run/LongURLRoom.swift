import PortalAnalysis
import ProbeCore

/// The memory for unusually long URLs in the results of a run.
///
/// A URL can have ``ProbeURL/maximumLength`` bytes, and a run a hundred thousand responses that each redirect to one.
/// The first ones are kept as they are. Once the room is used up, long URLs lose their query, and the rest that is
/// still too long its path.
struct LongURLRoom {
  /// The length up to which a URL is kept in any case, in bytes.
  static let usualLength = 8 * 1024

  /// The number of bytes that longer URLs may still have in total.
  private var room: Int

  /// Room for URLs that are longer than usual.
  init(_ room: Int = 16 << 20) {
    self.room = room
  }

  /// Shortens the long URLs of a result for which there is no room left.
  mutating func fit(_ result: inout ProbeResult) {
    if let redirects = result.response?.redirects {
      for index in redirects.indices {
        if let target = fitting(redirects[index].target) { result.response?.redirects[index].target = target }
        if let url = fitting(redirects[index].url) { result.response?.redirects[index].url = url }
      }
    }
    if let url = fitting(result.response?.url) { result.response?.url = url }
    if let url = fitting(result.analysis?.portal?.loginURL) { result.analysis?.portal?.loginURL = url }
    if let url = fitting(result.analysis?.withheld?.loginURL) { result.analysis?.withheld?.loginURL = url }
  }

  /// A shorter URL instead of a long one; nil if it can be kept.
  private mutating func fitting(_ url: ProbeURL?) -> ProbeURL? {
    guard let url, url.string.utf8.count > Self.usualLength else { return nil }
    guard url.string.utf8.count > room else {
      room -= url.string.utf8.count
      return nil
    }
    return url.shortened(to: Self.usualLength)
  }
}
