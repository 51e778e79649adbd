import FixtureReplay
import FoundationEssentials
import ProbeCore
import ProbeServer
import SourceDocuments

extension HTTPServiceResponse {
  init(status: Int = 200, fields: [String] = [], json record: some Encodable) {
    let text = (try? JSONLine.text(record)) ?? "{}\n"
    self.init(status: status, contentType: "application/json", fields: fields, body: Array(text.utf8))
  }
}

/// An error in JSON; the names are part of the format.
struct ControlErrorRecord: Encodable {
  struct Details: Encodable {
    let message: String
    let fix: String?
    var findings: [FindingRecord]?
  }

  let error: Details

  init(_ failure: HTTPServiceFailure) {
    error = Details(message: failure.message, fix: failure.remedy)
  }

  init(_ findings: [SourceFinding], of what: String) {
    let count = findings.count == 1 ? "1 mistake" : "\(findings.count) mistakes"
    error = Details(
      message: "\(what) has \(count)", fix: "correct the findings", findings: findings.map(FindingRecord.init)
    )
  }
}

/// A text, or bytes that are not UTF-8 in base64.
struct ControlBytesRecord: Encodable {
  let bytes: [UInt8]

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let text = String(validating: bytes, as: UTF8.self) {
      try container.encode(text)
    } else {
      try container.encode(["base64": Data(bytes).base64EncodedString()])
    }
  }
}

/// A request of the journal in JSON; the names are part of the format.
struct ControlRequestRecord: Encodable {
  private enum Key: CodingKey {
    case number, listener, connection, client, method, host, port, target, headers, body, outcome, detail
    case fixture, route, hit, fault, stateBefore, stateAfter, nearest
  }

  private struct Header: Encodable {
    let name: String
    let value: String
  }

  private struct Miss: Encodable {
    let fixture: String
    let route: String
    let reasons: [String]
  }

  let entry: JournalEntry

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let head = entry.request?.head
    try container.encode(entry.number, forKey: .number)
    try container.encode(entry.listener.rawValue, forKey: .listener)
    try container.encode(entry.connection, forKey: .connection)
    try container.encode(entry.client?.description, forKey: .client)
    try container.encode(head?.method, forKey: .method)
    try container.encode(entry.host, forKey: .host)
    try container.encode(entry.port, forKey: .port)
    try container.encode(head?.requestTarget, forKey: .target)
    try container.encode(
      (head?.fields ?? []).map { Header(name: $0.name, value: $0.value) }, forKey: .headers)
    let body = entry.request?.body ?? entry.received
    try container.encode(ControlBytesRecord(bytes: body), forKey: .body)
    try container.encode(entry.outcome.name, forKey: .outcome)
    try container.encode(entry.outcome.detail, forKey: .detail)
    try container.encode(entry.hit?.fixture, forKey: .fixture)
    try container.encode(entry.hit?.route, forKey: .route)
    try container.encode(entry.hit?.number, forKey: .hit)
    try container.encode(entry.hit?.fault?.rawValue, forKey: .fault)
    try container.encode(entry.hit?.stateBefore, forKey: .stateBefore)
    try container.encode(entry.hit?.stateAfter, forKey: .stateAfter)
    let misses = entry.nearMisses.map { Miss(fixture: $0.fixture, route: $0.route, reasons: $0.reasons) }
    try container.encode(misses, forKey: .nearest)
  }
}

extension JournalEntry.Outcome {
  /// The kind of outcome, as its name in the format.
  fileprivate var name: String {
    switch self {
    case .matched: "answered"
    case .unmatched: "unmatched"
    case .malformed: "malformed"
    case .tlsFailed: "tlsFailed"
    }
  }

  /// The reason why there was no request, or nil if there was one.
  fileprivate var detail: String? {
    switch self {
    case .matched, .unmatched: nil
    case .malformed(let malformed): malformed.reason
    case .tlsFailed(let reason): reason
    }
  }
}

/// A fault in JSON, as in a fixture.
struct ControlFaultRecord: Encodable {
  private enum Key: String, CodingKey {
    case kind, bytes, every, requests
    case duration = "for"
  }

  let fault: ReplayFault

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(fault.kind.rawValue, forKey: .kind)
    try container.encodeIfPresent(fault.bytes, forKey: .bytes)
    try container.encodeIfPresent(fault.every.map(ValueSyntax.text(of:)), forKey: .every)
    try container.encodeIfPresent(fault.duration.map(ValueSyntax.text(of:)), forKey: .duration)
    try container.encodeIfPresent(fault.requests?.sorted(), forKey: .requests)
  }
}

/// The state of a fixture in JSON; the names are part of the format.
///
/// A limit that the state does not have is omitted, and so are the clients of a fixture with one state for all.
struct ControlStateRecord: Encodable {
  private enum Key: CodingKey { case fixture, state, secondsRemaining, bytesRemaining, clients }

  /// A client that the fixture knows.
  private struct Client: Encodable {
    private enum Key: CodingKey { case client, state, secondsRemaining, bytesRemaining }

    let session: FixtureStates.Session

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(session.client, forKey: .client)
      try container.encode(session.state, forKey: .state)
      try container.encodeIfPresent(session.remainingTime?.inSeconds, forKey: .secondsRemaining)
      try container.encodeIfPresent(session.remainingBytes, forKey: .bytesRemaining)
    }
  }

  private let fixture: String
  /// The state of all clients, or that of new ones.
  private let state: String?
  private let sessions: [FixtureStates.Session]?

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - fixture: The fixture's name.
  ///   - state: The state of all clients, or that of new ones.
  ///   - states: The sessions, or nil for a fixture without states.
  init(fixture: String, state: String?, of states: FixtureStates?) {
    self.fixture = fixture
    self.state = state
    sessions = states?.sessions
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let all = sessions?.first { $0.client == nil }
    try container.encode(fixture, forKey: .fixture)
    try container.encode(state, forKey: .state)
    try container.encodeIfPresent(all?.remainingTime?.inSeconds, forKey: .secondsRemaining)
    try container.encodeIfPresent(all?.remainingBytes, forKey: .bytesRemaining)
    if let sessions, all == nil { try container.encode(sessions.map(Client.init), forKey: .clients) }
  }
}
