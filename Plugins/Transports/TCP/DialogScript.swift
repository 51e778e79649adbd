internal import ProbeCore

/// The compiled steps of a dialog, ready to be executed.
struct DialogScript: Sendable {
  enum Action: Sendable {
    case send(SendTemplate)
    case expect(CompiledSearchTerm, timeout: Duration?, maxBytes: Int?)
    case reject(CompiledSearchTerm)
    case startTLS
  }

  /// The actions, one for each step.
  private(set) var actions: [Action]

  /// Compiles all steps, also those after one with a problem.
  ///
  /// - Throws: ``InvalidDialog`` with every problem.
  init(_ steps: [Dialog.Step], _ parts: CompiledParts? = nil) throws(InvalidDialog) {
    let compiler = DialogCompiler(steps, parts)
    guard compiler.problems.isEmpty else { throw InvalidDialog(compiler.problems) }
    actions = compiler.actions
  }

  /// Reads the secrets that steps send.
  ///
  /// - Throws: `InvalidInput` naming the step and the source of a secret that cannot be read.
  mutating func readSecrets(
    of steps: [Dialog.Step], in context: RequestContext, adding secrets: inout [Secret]
  ) throws(InvalidInput) {
    for (index, step) in steps.enumerated() {
      guard case .sendSecret(let source) = step.kind else { continue }
      do throws(InvalidInput) {
        let secret = try context.confinedSecret(source)
        secrets.append(secret)
        actions[index] = .send(SendTemplate(secret))
      } catch {
        throw InvalidInput("step \(index + 1): send: \(error.message)", remedy: error.remedy)
      }
    }
  }

  /// The approximate size of its patterns in bytes.
  var compiledSize: Int {
    actions.reduce(0) { sum, action in
      switch action {
      case .expect(let term, _, _), .reject(let term): sum + term.compiledSize
      case .send, .startTLS: sum
      }
    }
  }

  /// The problem of the dialog in a request, or nil.
  ///
  /// - Parameters:
  ///   - maxBody: The limit of body bytes.
  ///   - isEncrypted: Whether the connection starts with a TLS handshake.
  ///   - secrets: The secrets of the request, which must not be sent before a later TLS handshake.
  /// - Returns: The problem, which names the step.
  func problem(maxBody: Int, isEncrypted: Bool, secrets: [Secret]) -> InvalidInput? {
    let handshake = actions.firstIndex { if case .startTLS = $0 { true } else { false } } ?? 0
    for (index, action) in actions.enumerated() {
      if case .send(let template) = action, index < handshake, secrets.contains(where: template.contains) {
        let problem = InvalidInput.secretBeforeTLS
        return InvalidInput("step \(index + 1): send: \(problem.message)", remedy: problem.remedy)
          .about("dialog")
      }
      if case .startTLS = action, isEncrypted {
        return InvalidInput(
          "step \(index + 1): starttls: a tls connection is encrypted from the start",
          remedy: "remove the step, or use a tcp URL"
        ).about("dialog")
      }
      if case .send(let template) = action, template.missesSecret {
        return InvalidInput("step \(index + 1): send: the secret was not read").about("dialog")
      }
      guard case .expect(let term, _, let maxBytes) = action else { continue }
      let limit = maxBytes ?? maxBody
      guard limit < max(1, term.leastBytes) else { continue }
      return InvalidInput(
        "step \(index + 1): expect: \(term.words) does not fit into \(limit) bytes",
        remedy: maxBytes == nil ? "increase maxBody, or add maxBytes to the step" : "increase maxBytes"
      ).about(["dialog"] + (maxBytes == nil ? ["maxBody"] : []))
    }
    return nil
  }
}

extension DialogScript {
  /// The problem of the dialog over UDP, or nil.
  ///
  /// - Parameter isJudged: Whether a validator judges what is received.
  /// - Returns: The problem, which names the step if there is one.
  func datagramProblem(isJudged: Bool) -> InvalidInput? {
    var hasSend = false
    var hasExpectation = isJudged
    for (index, action) in actions.enumerated() {
      switch action {
      case .startTLS:
        return InvalidInput(
          "step \(index + 1): starttls: there is no TLS over udp", remedy: "remove the step, or use a tcp URL"
        )
      case .send(let template):
        guard template.fixedSize <= UDPConversation.maximumSize else {
          return InvalidInput(
            "step \(index + 1): send: \(template.fixedSize) bytes do not fit into a datagram",
            remedy: "send at most \(UDPConversation.maximumSize) bytes")
        }
        hasSend = true
      case .expect:
        guard hasSend else {
          return InvalidInput(
            "step \(index + 1): expect: a server sends nothing over udp before it has received something",
            remedy: "add a send before it")
        }
        hasExpectation = true
      case .reject: break
      }
    }
    guard hasSend else {
      return InvalidInput("the dialog of a udp URL sends nothing", remedy: "add a send")
    }
    guard hasExpectation else {
      return InvalidInput(
        "the dialog of a udp URL expects no response, without which nothing is known of the service",
        remedy: "add an expect, or a validator of text such as contains")
    }
    return nil
  }
}

extension InvalidInput {
  /// The problem of a step that sends a secret before a later step starts TLS.
  static let secretBeforeTLS = InvalidInput(
    "a secret before starttls is sent unencrypted", remedy: "move it after the starttls step")
}

/// The words of failed steps, the same over tcp and udp.
extension DialogScript {
  func name(of index: Int) -> String {
    switch actions[index] {
    case .send: "step \(index + 1) (send)"
    case .expect(let term, _, _): "step \(index + 1) (expect \(term.words))"
    case .reject(let term): "step \(index + 1) (reject \(term.words))"
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
    let isStepTimeout = allowed.map { $0 < timeout } == true
    return "not received within \(isStepTimeout ? "" : "the probe's ")\(time)"
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
