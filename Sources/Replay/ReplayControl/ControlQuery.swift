import FixtureReplay
import ProbeServer
import ProbeCore

/// A query for requests of the journal, with the time to wait for one.
struct ControlQuery: Sendable {
  static let maximumWait = Duration.seconds(60)
  /// The maximum number of requests in one response.
  static let maximumRequests = 1000

  /// Only requests with a higher number.
  var since = 0
  /// The maximum number of requests to return.
  var limit = Self.maximumRequests
  /// The time to wait for a request if there is none yet.
  var wait = Duration.zero
  /// The name of the route that responded.
  var route: String?
  /// Only requests without a route.
  var isUnmatched = false
  /// The pattern that the requests must match.
  var condition = RouteCondition()

  /// Reads a query.
  ///
  /// - Throws: ``HTTPServiceFailure`` for an unknown parameter or a bad value.
  init(_ items: [HTTPServiceRequest.Item]) throws(HTTPServiceFailure) {
    for item in items {
      do throws(InvalidInput) {
        try take(item)
      } catch {
        throw HTTPServiceFailure(status: 400, error.message, remedy: error.remedy)
      }
    }
  }

  private mutating func take(_ item: HTTPServiceRequest.Item) throws(InvalidInput) {
    switch item.name {
    case "since": since = try Self.number(item, 0 ... .max)
    case "limit": limit = try Self.number(item, 1...Self.maximumRequests)
    case "wait":
      guard let seconds = Double(item.value), (0...60).contains(seconds) else {
        throw InvalidInput("wait is not a number of seconds from 0 to 60")
      }
      wait = .milliseconds(Int(bounding: seconds * 1000))
    case "route": route = item.value
    case "unmatched":
      guard ["true", "false"].contains(item.value) else { throw InvalidInput("unmatched is true or false") }
      isUnmatched = item.value == "true"
    case "request": condition = try RouteCondition(request: item.value)
    default:
      let known = ["since", "limit", "wait", "route", "unmatched", "request"]
      let nearest = nearestName(to: item.name, among: known).map { "did you mean \($0)?" }
      throw InvalidInput(
        "there is no parameter \(Excerpt(item.name))", remedy: nearest ?? "use \(known.alternatives)")
    }
  }

  private static func number(
    _ item: HTTPServiceRequest.Item, _ bounds: ClosedRange<Int>
  ) throws(InvalidInput) -> Int {
    guard let number = Int(text: item.value, in: bounds) else {
      let range =
        bounds.upperBound == .max
        ? "of at least \(bounds.lowerBound)" : "from \(bounds.lowerBound) to \(bounds.upperBound)"
      throw InvalidInput("\(item.name) is not a number \(range)")
    }
    return number
  }

  /// The requests in a journal that match, oldest first.
  func entries(of journal: ReplayJournal) -> [JournalEntry] {
    journal.entries(route: route, where: condition).filter { entry in
      guard entry.number > since else { return false }
      guard isUnmatched else { return true }
      if case .unmatched = entry.outcome { return true }
      return false
    }
  }

  /// The requests that match; waits until there is one, or until the maximum wait has passed.
  func wait(
    on journal: ReplayJournal, clock: any Clock<Duration>
  ) async -> [JournalEntry] {
    let found = entries(of: journal)
    guard found.isEmpty, wait > .zero else { return found }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await clock.sleep(for: wait) }
      group.addTask {
        while !Task.isCancelled {
          let written = journal.count
          guard entries(of: journal).isEmpty else { return }
          _ = await journal.entries(after: written)
        }
      }
      await group.next()
      group.cancelAll()
    }
    return entries(of: journal)
  }
}
