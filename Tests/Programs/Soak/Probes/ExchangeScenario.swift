import BundledPlugins
import ProbeBase
import ProbeCore
import TestSupport

/// Hundreds of exchanges with the transports themselves, each in its own task that is cancelled at a random
/// time.
struct ExchangeScenario: Scene {
  /// One exchange, and whether and when it is cancelled.
  private struct Exchange: Sendable {
    let question: Question
    let transport: any ProbeTransport
    let cancelledAfter: Duration?
    let prefersTransport: Bool
  }

  let scenario: Scenario
  var numbers: SeededNumbers

  mutating func play() async throws {
    let worlds = try Worlds(authority: scenario.authority)
    defer { worlds.stop() }
    let exchanges = try exchanges(worlds)
    let ends = Guarded([Int](repeating: 0, count: exchanges.count))
    let tally = scenario.tally
    await withDiscardingTaskGroup { group in
      for (index, exchange) in exchanges.enumerated() {
        let threads = exchange.prefersTransport ? exchange.transport.executors : []
        let task = Task(executorPreference: threads.isEmpty ? nil : threads[index % threads.count]) {
          let words = await Self.objection(to: exchange)
          ends.withLock { $0[index] += 1 }
          if let words { tally.problem(words) }
        }
        if exchange.cancelledAfter == .zero { task.cancel() }
        group.addTask {
          if let delay = exchange.cancelledAfter {
            if delay > .zero { try? await Task.sleep(for: delay) }
            task.cancel()
          }
          await task.value
        }
      }
    }
    tally.add(exchanges.count, .exchanges)
    tally.add(exchanges.count { $0.cancelledAfter != nil }, .cancelledExchanges)
    for (index, count) in ends.withLock(\.self).enumerated() where count != 1 {
      tally.problem("the exchange \(exchanges[index].question.request.url) ended \(count) times")
    }
  }

  private mutating func exchanges(_ worlds: Worlds) throws -> [Exchange] {
    var exchanges: [Exchange] = []
    // One or several loops, whose only holders are the exchanges.
    let own = try (0..<Int.random(in: 1...3, using: &numbers)).map { _ in
      try PluginRegistry.bundled.transports
    }
    for _ in 0..<numbers.size(50...600) {
      let routing = numbers.pick(Question.Routing.allCases)
      let question = try Question(worlds, routing, &numbers)
      let registry = numbers.pick([scenario.shared] + own)
      let transports = routing == .rules ? registry : worlds.routed(registry)
      guard let transport = transports[question.request.url.scheme] else { continue }
      var delay: Duration?
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: delay = .zero
      case 1, 2: delay = numbers.time(upTo: .milliseconds(numbers.pick([1, 10, 100])))
      default: break
      }
      exchanges.append(
        Exchange(
          question: question, transport: transport, cancelledAfter: delay,
          prefersTransport: numbers.once(in: 2)))
    }
    return exchanges
  }

  /// Makes one exchange; returns the problem with its result, or nil.
  private static func objection(to exchange: Exchange) async -> String? {
    let question = exchange.question
    let url = question.request.url
    do {
      let response = try await exchange.transport.probe(question.request)
      // There is no judge: failures that a judge would report are responses here.
      let mayRespond = !question.endings.isDisjoint(with: [
        nil, .httpStatus, .tooManyRedirects, .bodyMismatch, .bodyTooLarge,
      ])
      return mayRespond ? nil : "\(url) answered \(response.status.map(String.init) ?? "-")"
    } catch let failure as ProbeFailure {
      let isRight =
        question.endings.contains(failure.reason)
        || failure.reason == .cancelled && exchange.cancelledAfter != nil
      return isRight
        ? nil
        : "\(url) failed with \(failure), timeout \(question.request.timeout), \(exchange.cancelledAfter as Any)"
    } catch {
      return "\(url) failed with an error that is not a probe failure: \(error)"
    }
  }
}
