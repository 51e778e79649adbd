import ProbeCore

/// A variable of a template: a property of the request, of the client or of its session, or the time.
enum TemplateVariable: Hashable, Sendable {
  case requestURL
  case requestHost
  case requestPath
  case query(String)
  case form(String)
  case clientAddress
  case clientMAC
  case time
  case date
  case sessionURL
  case seconds
  case bytes
  case state

  private static let fixed: [(name: String, variable: TemplateVariable)] = [
    ("request.url", .requestURL), ("request.host", .requestHost), ("request.path", .requestPath),
    ("client.address", .clientAddress), ("client.mac", .clientMAC), ("time", .time), ("date", .date),
    ("session.url", .sessionURL), ("session.seconds", .seconds), ("session.bytes", .bytes),
    ("session.state", .state),
  ]

  /// The names of all variables, for messages.
  static var names: [String] { fixed.map(\.name) + ["request.query.NAME", "request.form.NAME"] }

  /// Finds the variable with a name, such as `request.query.url`.
  ///
  /// - Throws: `InvalidInput` if there is none.
  init(_ name: String) throws(InvalidInput) {
    if let known = Self.fixed.first(where: { $0.name == name }) {
      self = known.variable
    } else if name.hasPrefix("request.query."), name != "request.query." {
      self = .query(String(name.dropFirst("request.query.".count)))
    } else if name.hasPrefix("request.form."), name != "request.form." {
      self = .form(String(name.dropFirst("request.form.".count)))
    } else {
      let nearest = nearestName(to: name, among: Self.names).map { "did you mean ${\($0)}?" }
      throw InvalidInput(
        "there is no variable \(Excerpt(name))",
        remedy: nearest ?? "use \(Self.names.alternatives), or $${ for the text ${")
    }
  }

  /// Whether its value is a number, or missing.
  var isNumber: Bool { [.time, .seconds, .bytes].contains(self) }

  /// Whether its value is a URL or a part of one, and so percent-encoded already.
  var isURLPart: Bool { [.requestURL, .requestHost, .requestPath, .sessionURL].contains(self) }
}

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

/// A time as in a Date field (RFC 9110 §5.6.7).
struct HTTPDate {
  /// The date and time, such as `Wed, 25 Nov 2026 10:00:00 GMT`.
  let text: String

  /// Writes a time in seconds since 1970-01-01T00:00:00Z.
  init(unix: Int) {
    let time = UTCTime(unix: unix)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let day = "\(UTCTime.digits(time.day, 2)) \(months[time.month - 1]) \(UTCTime.digits(time.year, 4))"
    text = "\(weekdays[time.weekday]), \(day) \(time.timeText) GMT"
  }
}
