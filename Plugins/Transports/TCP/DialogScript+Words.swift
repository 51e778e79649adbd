internal import ProbeCore

/// The words of failed steps, the same over tcp and udp.
extension DialogScript {
  /// The name of a step.
  func name(of index: Int) -> String {
    switch actions[index] {
    case .send: "step \(index + 1) (send)"
    case .expect(let sought, _, _): "step \(index + 1) (expect \(sought.words))"
    case .reject(let sought): "step \(index + 1) (reject \(sought.words))"
    case .startTLS: "step \(index + 1) (starttls)"
    }
  }

  /// An expect step whose time has passed.
  ///
  /// - Parameters:
  ///   - allowed: The timeout of the step; nil if it has none.
  ///   - timeout: The timeout of the probe.
  /// - Returns: The words.
  static func notReceived(within allowed: Duration?, of timeout: Duration) -> String {
    let time = ValueSyntax.text(of: min(allowed ?? timeout, timeout))
    let isOfStep = allowed.map { $0 < timeout } == true
    return "not received within \(isOfStep ? "" : "the probe's ")\(time)"
  }

  /// The data in which an expect step found nothing.
  ///
  /// - Parameters:
  ///   - bytes: The data.
  ///   - isFirst: Whether nothing was received before it.
  /// - Returns: The words.
  static func found(_ bytes: ArraySlice<UInt8>, isFirst: Bool) -> String {
    if !bytes.isEmpty { return "found \(Excerpt(bytes))" }
    return isFirst ? "nothing was received" : "nothing more was received"
  }

  /// A send step whose captures are too long.
  static let insertsTooMuch = "the captures to send have more than \(SendTemplate.maximumInserted) bytes"
}
