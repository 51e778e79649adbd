internal import Validators
internal import ProbeCore

/// Compiles the steps of a dialog one by one, and collects their problems.
struct DialogCompiler {
  /// The actions of the valid steps.
  private(set) var actions: [DialogScript.Action] = []
  /// The problems, in the order of the steps.
  private(set) var problems: [InvalidDialog.Problem] = []
  private var step = 0
  private var lastExpect = 0
  private var rejects: [Int] = []
  private var isEncrypted = false
  private var secretSends: [Int] = []
  private var captures: Set<String> = []
  /// Whether an expect step is invalid, so that its captures are unknown.
  private var missesCaptures = false
  /// The parts compiled for the file so far, or nil for a dialog that is not in a file.
  private let parts: CompiledParts?

  /// Compiles steps; nil is a step that was already found to be invalid.
  init(_ steps: [Dialog.Step?], _ parts: CompiledParts? = nil) {
    self.parts = parts
    for step in steps { add(step) }
    finish()
  }

  private mutating func add(_ next: Dialog.Step?) {
    step += 1
    if next?.kind.sendsSecret == true { secretSends.append(step) }
    switch next?.kind {
    case nil:
      // It may be intended as an expect step.
      lastExpect = step
      missesCaptures = true
    case .send(let text):
      let isRead = attempt("send", text) { () throws(InvalidInput) in .send(try SendTemplate(text)) }
      if isRead { checkReferences(in: text) }
    case .sendSecret: actions.append(.send(.unread))
    case .sendHex(let digits):
      attempt("sendHex", digits) { () throws(InvalidInput) in .send(try SendTemplate(hex: digits)) }
    case .expect(let term, let timeout, let maxBytes):
      lastExpect = step
      check(timeout: timeout, maxBytes: maxBytes)
      let isRead = attempt("expect", term) { .expect($0, timeout: timeout, maxBytes: maxBytes) }
      missesCaptures = missesCaptures || !isRead
      if case .expect(let term, _, _) = actions.last { captures.formUnion(term.groupNames) }
    case .reject(let term):
      rejects.append(step)
      if attempt("reject", term, { .reject($0) }) { checkReject() }
    case .startTLS:
      if isEncrypted {
        note(
          "starttls", "an earlier step has started TLS already", remedy: "remove one of them", step: step)
      }
      for step in secretSends where !isEncrypted {
        problems.append(InvalidDialog.Problem(step: step, key: "send", .secretBeforeTLS))
      }
      isEncrypted = true
      actions.append(.startTLS)
    }
  }

  private mutating func finish() {
    if step == 0 {
      problems.append(
        InvalidDialog.Problem(
          InvalidInput("the dialog has no steps", remedy: "add at least one, or omit it")))
    }
    for step in rejects where step > lastExpect {
      note(
        "reject", "no expect follows, so it has no effect",
        remedy: "move it before an expect",
        step: step)
    }
    problems = problems.inOrderOfSteps
  }

  @discardableResult
  private mutating func attempt(
    _ key: String, _ term: Dialog.SearchTerm, _ make: (CompiledSearchTerm) -> DialogScript.Action
  ) -> Bool {
    // The size limit for compiled parts is reached, which was already reported.
    if parts?.hasReportedTooMany == true { return false }
    let (subkey, value) = term.subkeyAndValue
    return attempt("\(key)\(subkey)", value) { [parts] () throws(InvalidInput) in
      make(try CompiledSearchTerm(term, parts))
    }
  }

  @discardableResult
  private mutating func attempt(
    _ key: String, _ value: String, _ make: () throws(InvalidInput) -> DialogScript.Action
  ) -> Bool {
    do throws(InvalidInput) {
      actions.append(try make())
      return true
    } catch {
      problems.append(InvalidDialog.Problem(step: step, key: key, value: value, error))
      return false
    }
  }

  private mutating func checkReferences(in text: String) {
    guard !missesCaptures, case .send(let template) = actions.last else { return }
    for (name, offset) in template.references where !captures.contains(name) {
      let known = captures.sorted().joined(separator: ", ")
      let remedy =
        captures.isEmpty
        ? "name the group in an earlier expect, as in matches: \"(?<\(Excerpt(name).unquoted)>…)\""
        : "use \(known)"
      problems.append(
        InvalidDialog.Problem(
          step: step, key: "send", value: text,
          InvalidInput("no earlier expect captures \(Excerpt(name))", remedy: remedy, offset: offset)))
    }
  }

  private mutating func check(timeout: Duration?, maxBytes: Int?) {
    if let timeout, !DialogLimits.timeouts.contains(timeout) {
      note("expect.timeout", "the time is out of range", remedy: "use one from 1ms to 1h", step: step)
    }
    if let maxBytes, !DialogLimits.sizes.contains(maxBytes) {
      note("expect.maxBytes", "the size is out of range", remedy: "use one from 1 to 1GiB", step: step)
    }
  }

  private mutating func checkReject() {
    guard case .reject(let term) = actions.last, term.canBeNothing else { return }
    note(
      "reject.matches", "the pattern matches empty data, so it would reject everything",
      remedy: "require at least one character", step: step)
  }

  private mutating func note(_ key: String, _ message: String, remedy: String, step: Int) {
    problems.append(InvalidDialog.Problem(step: step, key: key, InvalidInput(message, remedy: remedy)))
  }
}

extension [InvalidDialog.Problem] {
  /// The problems in the order of the steps, with a stable order within each step.
  var inOrderOfSteps: [InvalidDialog.Problem] {
    let sorted = enumerated().sorted { ($0.element.step ?? 0, $0.offset) < ($1.element.step ?? 0, $1.offset) }
    return sorted.map(\.element)
  }
}

extension Dialog.SearchTerm {
  /// The key path of the value within a step, and the value.
  fileprivate var subkeyAndValue: (subkey: String, value: String) {
    switch kind {
    case .text(let text, _): ("", text)
    case .hex(let digits): (".hex", digits)
    case .matches(let options): (".matches", options.pattern)
    }
  }
}

extension Excerpt {
  fileprivate var unquoted: Substring { description.dropFirst().dropLast() }
}
