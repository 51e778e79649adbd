import ProbeCore
import Testing

@testable import Transports

/// A conversation without a socket, with a peer whose bytes are segmented in a given way.
struct Played: Equatable {
  /// How the peer's side ends.
  enum Ending: CaseIterable, Sendable {
    case ends, staysSilent
  }

  /// The bytes sent, step by step.
  var sent: [[UInt8]] = []
  var captures: [String: String] = [:]
  /// The reason of the failure, or nil.
  var reason: ReasonCode?
  /// The failed step, as named in the detail.
  var step: Substring?

  private static let url = Result { try ProbeURL("tcp://h.test:1") }

  init() {}

  /// Plays a dialog; each piece is the result of a read, and an empty one is a pause.
  init(
    _ dialog: Dialog, _ pieces: [[UInt8]], _ ending: Ending = .ends, maxBody: Int = 1000,
    detail: (ProbeFailure, Duration) -> Void = { _, _ in }
  ) throws {
    let limits = Conversation.Limits(timeout: .seconds(5), maxBody: maxBody)
    let response = ProbeResponse(url: try Self.url.get())
    var conversation = Conversation(dialog.script, limits, response: response)
    var pieces = pieces[...]
    var now = Duration.zero
    do throws(ProbeFailure) {
      play: while true {
        switch try conversation.next(at: now) {
        case .finished: break play
        case .send(let bytes, _):
          sent.append(bytes)
          conversation.didSend(at: now)
        case .startTLS: conversation.didStartTLS(conversation.response, at: now)
        case .receive(let limit, let until):
          // Not an expectation each time: there would be many thousands.
          if limit <= 0 { Issue.record("nothing is to be received: \(limit)") }
          guard let piece = pieces.popFirst() else {
            if ending == .ends, !conversation.hasEnded {
              conversation.receive([], at: now)
            } else {
              conversation.timePassed()
              now = max(now, until)
            }
            continue
          }
          if piece.isEmpty {
            // A pause, but not one that ends a step.
            guard until < .seconds(1) else { continue }
            conversation.timePassed()
            now = max(now, until)
            continue
          }
          if piece.count > limit { pieces.insert(Array(piece[limit...]), at: pieces.startIndex) }
          conversation.receive(Array(piece.prefix(limit)), at: now)
        }
      }
      captures = conversation.response.captures
    } catch {
      reason = error.reason
      step = error.detail.prefix { $0 != ":" }
      captures = error.partial?.captures ?? [:]
      detail(error, now)
    }
  }
}

extension [UInt8] {
  /// The bytes in one piece, one by one, and in all pairs of pieces, with and without pauses.
  var cuts: [[[UInt8]]] {
    let single = map { [$0] }
    let halves = indices.map { [Array(self[..<$0]), [], Array(self[$0...])] }
    return [[self], single, single.flatMap { [$0, []] }] + halves.map { $0.filter { !$0.isEmpty } } + halves
  }
}
