package import ProbeCore
internal import ProbeJSON
internal import Transports

/// The conformance kit for a plugin in another process.
package struct PluginConformance: Sendable {
  /// The timeout for the hello message, and for each response.
  package var limit = Duration.seconds(5)
  /// The timeout for the exit after the end of the input, which the report names.
  private static let exitTimeout = Duration.seconds(2)

  private let program: Program
  private let environment: [String: String]

  /// Creates a check of a plugin.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - environment: The environment of this process; the program receives only the variables that it lists.
  package init(_ program: Program, environment: [String: String]) {
    (self.program, self.environment) = (program, environment)
  }

  /// Checks the plugin.
  ///
  /// - Returns: The report; its subject is the name that the plugin reports.
  package nonisolated(nonsending) func report() async -> ConformanceReport {
    var report = ConformanceReport("plugin \(program.name)")
    report.check(.pluginHello)
    do throws(PluginTrial.Failure) {
      let trial = try PluginTrial(program, environment: environment)
      let hello = try await trial.hello(within: limit)
      report = ConformanceReport("\(hello.kind.rawValue) \(hello.name ?? program.name)")
      report.check(.pluginHello)
      switch hello.kind {
      case .validator: await checkValidator(hello, trial, &report)
      case .transport: await checkTransport(hello, trial, &report)
      }
      await checkEnd(of: trial, &report)
    } catch {
      report.violate(.pluginHello, error.words, on: "its start")
    }
    return report
  }

  private nonisolated(nonsending) func checkValidator(
    _ hello: PluginHello, _ trial: PluginTrial, _ report: inout ConformanceReport
  ) async {
    report.check(.validatorExamples)
    var nextID = 1
    for (index, example) in hello.examples.enumerated() {
      let label = "example \(index + 1)"
      guard let accepts = example.accepts.flatMap({ try? ProbeResponse(message: $0) }),
        let rejects = example.rejects.flatMap({ try? ProbeResponse(message: $0) })
      else {
        report.violate(.validatorExamples, "accepts or rejects is missing or no response", on: label)
        continue
      }
      let pair = ExamplePair(label: label, accepts: accepts, rejects: rejects)
      let inputs = NamedResponse.all(for: pair)
      let options = example.options.map { "\"options\":\($0.text)," } ?? ""
      let messages = inputs.map { input in
        Array("\(options)\"response\":".utf8) + ResponseMessage.json(of: input.response)
      }
      do throws(PluginTrial.Failure) {
        report.check(.pluginResponses)
        let responses = try await query(messages, oneByOne: true, trial, &nextID)
        for (input, response) in zip(inputs, responses) { report.checkForm(of: response, on: input) }
        // `NamedResponse.all` begins with the accepted and the rejected response.
        report.checkExample(label, responses[0], responses[1])
        report.check(.validatorSameResult)
        let together = try await query(messages.reversed(), oneByOne: false, trial, &nextID)
        for (input, (response, other)) in zip(inputs, zip(responses, together.reversed()))
        where response != other {
          report.violate(
            .validatorSameResult, "\(other) when it has many messages, \(response) before", on: input.name)
        }
        try await checkTolerance(messages[0], like: responses[0], trial, &report, &nextID)
      } catch {
        report.violate(.pluginResponses, error.words, on: label)
        return
      }
    }
    if hello.examples.isEmpty { report.violate(.validatorExamples, "its hello has none", on: "its hello") }
  }

  /// Later versions of the protocol may add members, and messages are cancelled at any time.
  private nonisolated(nonsending) func checkTolerance(
    _ message: [UInt8], like response: PluginResponse, _ trial: PluginTrial,
    _ report: inout ConformanceReport, _ nextID: inout Int
  ) async throws(PluginTrial.Failure) {
    report.check(.pluginTolerance)
    // An ID that no message has.
    trial.send(Array("{\"cancel\":\(nextID + 1000)}".utf8))
    let responses = try await query(
      [message + Array(",\"later\":{\"x\":[1,null]}".utf8)], oneByOne: true, trial, &nextID)
    let areResponses = if case (.response, .response) = (responses[0], response) { true } else { false }
    // The responses of a server differ, at least in their times.
    if !areResponses, responses != [response] {
      report.violate(
        .pluginTolerance, "\(responses[0]) in place of \(response)", on: "a message with an unknown member")
    }
  }

  private nonisolated(nonsending) func checkTransport(
    _ hello: PluginHello, _ trial: PluginTrial, _ report: inout ConformanceReport
  ) async {
    report.check(.transportScenarios)
    if hello.examples.isEmpty {
      report.violate(.transportScenarios, "its hello has no example", on: "its hello")
    }
    var nextID = 1
    for (index, example) in hello.examples.enumerated() {
      let label = "example \(index + 1)"
      guard let request = example.request else {
        report.violate(.transportScenarios, "it has no request", on: label)
        continue
      }
      let options = example.options.map { "\"options\":\($0.text)," } ?? ""
      let message = Array("\(options)\"request\":\(request.text)".utf8)
      report.check(.pluginResponses)
      do throws(PluginTrial.Failure) {
        let responses = try await query([message], oneByOne: true, trial, &nextID)
        guard case .response = responses[0] else {
          report.violate(.transportResponse, "\(responses[0]) in place of a response", on: label)
          continue
        }
        report.check(.transportResponse)
        try await checkTolerance(message, like: responses[0], trial, &report, &nextID)
      } catch {
        report.violate(.pluginResponses, error.words, on: label)
        return
      }
    }
  }

  private nonisolated(nonsending) func checkEnd(
    of trial: PluginTrial, _ report: inout ConformanceReport
  ) async {
    report.check(.pluginEnd)
    switch await trial.end(within: Self.exitTimeout) {
    case .exited(0)?: break
    case let end?: report.violate(.pluginEnd, "it \(end.words)", on: "the end of its input")
    case nil: report.violate(.pluginEnd, "it was still running after 2s", on: "the end of its input")
    }
  }

  /// Sends messages, numbered from `nextID`; one by one, each after the response to the one before, or all at once.
  private nonisolated(nonsending) func query(
    _ messages: [[UInt8]], oneByOne isOneByOne: Bool, _ trial: PluginTrial, _ nextID: inout Int
  ) async throws(PluginTrial.Failure) -> [PluginResponse] {
    defer { nextID += messages.count }
    guard isOneByOne else { return try await trial.responses(to: messages, from: nextID, within: limit) }
    var responses: [PluginResponse] = []
    for (index, message) in messages.enumerated() {
      responses += try await trial.responses(to: [message], from: nextID + index, within: limit)
    }
    return responses
  }
}

extension ConformanceReport {
  fileprivate mutating func checkExample(
    _ label: String, _ accepted: PluginResponse, _ rejected: PluginResponse
  ) {
    if case .accepted = accepted {
    } else {
      violate(.validatorExamples, "\(accepted)", on: "\(label): the response it accepts")
    }
    if case .rejected = rejected {
    } else {
      violate(.validatorExamples, "\(rejected)", on: "\(label): the response it rejects")
    }
  }

  /// Checks that a response can be printed in a report.
  fileprivate mutating func checkForm(of response: PluginResponse, on input: NamedResponse) {
    switch response {
    case .accepted(let captures): checkForm(of: .accepted(captures: captures), on: input)
    case .rejected(let reason, let detail):
      let detail = detail.isEmpty ? "one that it rejects" : detail
      checkForm(of: .rejected(reason ?? .rejected, expected: "a response", found: detail), on: input)
    // A plugin may report that it cannot judge such a response.
    case .none: break
    case .response, .failed: violate(.pluginResponses, "the answer of a transport", on: input.name)
    }
  }
}

/// The rules for plugins in other processes, besides those of validators and transports.
extension ConformanceRule {
  /// Its first line is a hello, with the version and the kind.
  static let pluginHello = ConformanceRule("plugin.hello", "its first line is a hello message")

  /// It responds to each message once, whatever the judged response, and keeps running.
  static let pluginResponses = ConformanceRule("plugin.answers", "it answers every message, and does not end")

  /// It ignores unknown members, and the cancellation of an unknown message.
  static let pluginTolerance = ConformanceRule(
    "plugin.tolerance", "it ignores unknown members and cancellations of unknown messages")

  /// It exits with code 0 within 2 seconds after the end of its input.
  static let pluginEnd = ConformanceRule("plugin.end", "it exits with code 0 at the end of its input")
}
