import PortalAnalysis
import ProbeBase
import ProbeCore

/// The memory for bodies beyond the limits of their requests, which all probes of a run share.
///
/// When it is used up, responses are analysed as far as validators see them.
final class FurtherBodyMemory: Sendable {
  /// The memory of a run in bytes.
  static let maximumBytes = 16 << 20

  private let left: Guarded<Int>

  init(_ bytes: Int = FurtherBodyMemory.maximumBytes) {
    left = Guarded(bytes)
  }

  /// Takes a number of bytes, or as many as are left.
  ///
  /// Each body receives its memory at once, so that many that arrive together do not all end in the middle.
  func take(_ count: Int) -> Int {
    left.withLock { left in
      let taken = min(count, left)
      left -= taken
      return taken
    }
  }

  /// Returns bytes.
  func give(_ count: Int) {
    left.withLock { $0 += count }
  }
}

/// Lets probes that are made one after another receive the rest of a body that is not accepted, for the
/// analysis.
final class FurtherBodyReading: FurtherReading {
  /// The maximum size of a body for the analysis.
  static let maximumBytes = 1 << 20

  /// The maximum size of a body of which more is received: a longer one is analysed as it is.
  private static let maximumJudged = 256 << 10

  private let memory: FurtherBodyMemory
  private let isUnexpected: @Sendable (ProbeResponse, Int) -> Bool
  private let state = Guarded((probe: 0, taken: 0, redirects: [RedirectHop]()))

  /// Creates the permission for a series of probes.
  ///
  /// - Parameters:
  ///   - memory: The memory of the run.
  ///   - isUnexpected: Whether a response to the probe at a position, cut at its limit, is not accepted and
  ///     will be analysed.
  init(_ memory: FurtherBodyMemory, if isUnexpected: @escaping @Sendable (ProbeResponse, Int) -> Bool) {
    self.memory = memory
    self.isUnexpected = isUnexpected
  }

  func begin(probe: Int) {
    state.withLock { $0.probe = probe }
  }

  /// The response has been analysed.
  func end() {
    begin(after: [])
  }

  var maximumBytes: Int { Self.maximumBytes }

  func begin(after redirects: [RedirectHop]) {
    state.withLock { state in
      memory.give(state.taken)
      (state.taken, state.redirects) = (0, redirects)
    }
  }

  func room(after response: ProbeResponse) -> Int {
    // The target of a redirect is more informative than its body.
    guard response.head?.isRedirect != true else { return 0 }
    var judged = response
    let (probe, _, redirects) = state.withLock { $0 }
    judged.redirects = redirects
    // It is judged on the thread of the connection, where a pattern must not search more.
    guard response.body.count <= Self.maximumJudged, isUnexpected(judged, probe) else { return 0 }
    let maximum = max(0, Self.maximumBytes - response.body.count)
    let taken = memory.take(min(maximum, response.remaining ?? maximum))
    state.withLock { $0.taken = taken }
    return taken
  }
}

extension ProbeResponse {
  /// How many bytes of the body are left according to Content-Length; nil if that is not known.
  fileprivate var remaining: Int? {
    guard let fields = head?.fields, fields["Content-Encoding"] == nil, fields["Transfer-Encoding"] == nil
    else { return nil }
    guard let length = fields["Content-Length"].flatMap({ ExternalNumber(text: $0) }) else { return nil }
    return max(0, (length - ExternalNumber(body.count)).value)
  }
}

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
    if let url = fitting(result.analysis?.refusedPortal?.loginURL) {
      result.analysis?.refusedPortal?.loginURL = url
    }
  }

  /// The URL, truncated if it is too long; nil if it can be kept.
  private mutating func fitting(_ url: ProbeURL?) -> ProbeURL? {
    guard let url, url.string.utf8.count > Self.usualLength else { return nil }
    guard url.string.utf8.count > room else {
      room -= url.string.utf8.count
      return nil
    }
    return url.shortened(to: Self.usualLength)
  }
}
