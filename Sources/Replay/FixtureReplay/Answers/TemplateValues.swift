internal import ProbeCore

/// The values of the variables for one request.
struct TemplateValues {
  /// The request.
  let input: MatchInput
  /// The client's session as the request found it.
  let before: ClientSession
  /// The session after the request.
  let after: ClientSession
  /// The limit of the state after the request, or nil.
  let limit: StateLimit?
  /// The time.
  let clock: WorldClock

  /// The value of a variable; if there is none, an empty text or, for a number, nil.
  func value(of variable: TemplateVariable) -> String? {
    switch variable {
    case .requestURL: input.url ?? ""
    case .requestHost: input.urlHost ?? ""
    case .requestPath: input.head.map { String(decoding: $0.path, as: UTF8.self) } ?? ""
    case .query(let name): Self.text(input.knownFields.query.values(of: name))
    case .form(let name): Self.text(input.knownFields.form.values(of: name))
    case .clientAddress: input.client?.description ?? ""
    case .clientMAC: input.client.map(Self.hardwareAddress) ?? ""
    case .time: "\(clock.unix)"
    case .date: HTTPDate(unix: clock.unix).text
    case .sessionURL: before.firstURL ?? input.origin.map { "\($0)/" } ?? "/"
    case .seconds: after.remainingTime(limit, at: clock.now).map { "\($0.wholeSeconds)" }
    case .bytes: after.remainingBytes(limit).map { "\($0)" }
    case .state: after.state ?? ""
    }
  }

  private static func text(_ values: [[UInt8]]) -> String {
    String(decoding: values.first ?? [], as: UTF8.self)
  }

  /// A locally administered hardware address (IEEE 802-2014 §8.4.1) that is always the same for an address.
  private static func hardwareAddress(of address: IPAddress) -> String {
    let bytes = (0..<16).map { UInt8(truncatingIfNeeded: address.bits >> (8 * (15 - $0))) }
    // The last four bytes of an IPv4 address, and all of an IPv6 address folded into five.
    var folded = [UInt8](repeating: 0, count: 5)
    for (index, byte) in bytes.enumerated() { folded[(index + 4) % 5] = folded[(index + 4) % 5] &* 31 ^ byte }
    let last = address.family == .v4 ? [0] + bytes.suffix(4) : folded
    return ([2] + last).map { $0.hexText(atLeast: 2, isUppercase: true) }.joined(separator: ":")
  }
}

extension Duration {
  /// The time in seconds, rounded up.
  fileprivate var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
