internal import PCRE2Validator
internal import ProbeCore

/// The steps of a dialog, read and compiled: what is left to do is to carry them out.
struct DialogScript: Sendable {
  enum Action: Sendable {
    case send(SendTemplate)
    case expect(SoughtBytes, timeout: Duration?, maxBytes: Int?)
    case reject(SoughtBytes)
  }

  /// One for each step.
  let actions: [Action]

  /// - Throws: ``InvalidDialog`` with everything that is wrong.
  init(_ steps: [Dialog.Step]) throws(InvalidDialog) {
    var compiler = DialogCompiler()
    for step in steps { compiler.add(step) }
    compiler.finish()
    guard compiler.problems.isEmpty else { throw InvalidDialog(compiler.problems) }
    actions = compiler.actions
  }

  /// What is wrong with the dialog in a request that keeps so many bytes.
  func problem(maxBody: Int) -> InvalidInput? {
    for (index, action) in actions.enumerated() {
      guard case .expect(let sought, _, let maxBytes) = action else { continue }
      let limit = maxBytes ?? maxBody
      guard limit < max(1, sought.leastBytes) else { continue }
      return InvalidInput(
        "step \(index + 1): expect: \(sought.words) cannot come within \(limit) bytes",
        remedy: maxBytes == nil ? "raise maxBody, or give the step maxBytes" : "raise maxBytes")
    }
    return nil
  }
}

/// Reads step after step and collects what is wrong.
private struct DialogCompiler {
  private(set) var actions: [DialogScript.Action] = []
  private(set) var problems: [InvalidDialog.Problem] = []
  private var step = 0
  private var lastExpect = 0
  private var rejects: [Int] = []
  private var captures: Set<String> = []
  /// Whether an expect could not be read: then what it captures is not known.
  private var missesCaptures = false

  mutating func add(_ next: Dialog.Step) {
    step += 1
    switch next.kind {
    case .send(let text):
      attempt("send", text) { () throws(InvalidInput) in .send(try SendTemplate(text)) }
      checkReferences(in: text)
    case .sendHex(let digits):
      attempt("sendHex", digits) { () throws(InvalidInput) in .send(try SendTemplate(hex: digits)) }
    case .expect(let sought, let timeout, let maxBytes):
      lastExpect = step
      check(timeout: timeout, maxBytes: maxBytes)
      let isRead = attempt("expect", sought) { .expect($0, timeout: timeout, maxBytes: maxBytes) }
      missesCaptures = missesCaptures || !isRead
      if case .expect(let sought, _, _) = actions.last { captures.formUnion(sought.groupNames) }
    case .reject(let sought):
      rejects.append(step)
      if attempt("reject", sought, { .reject($0) }) { checkReject() }
    }
  }

  mutating func finish() {
    if step == 0 {
      problems.append(
        InvalidDialog.Problem(
          InvalidInput("the dialog has no steps", remedy: "give at least one, or leave it out")))
    }
    for step in rejects where step > lastExpect {
      note(
        "reject", "no expect follows, so it would never be looked at",
        remedy: "put it before the expect it guards",
        step: step)
    }
    problems.sort { ($0.step ?? 0) < ($1.step ?? 0) }
  }

  @discardableResult
  private mutating func attempt(
    _ key: String, _ sought: Dialog.Sought, _ make: (SoughtBytes) -> DialogScript.Action
  ) -> Bool {
    let (place, value) = sought.placeAndValue
    return attempt("\(key)\(place)", value) { () throws(InvalidInput) in make(try SoughtBytes(sought)) }
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
        ? "name a group of an earlier expect, as in matches: \"(?<\(Excerpt(name).unquoted)>…)\""
        : "the captures up to here are \(known)"
      problems.append(
        InvalidDialog.Problem(
          step: step, key: "send", value: text,
          InvalidInput("no earlier expect captures \(Excerpt(name))", remedy: remedy, offset: offset)))
    }
  }

  private mutating func check(timeout: Duration?, maxBytes: Int?) {
    if let timeout, !DialogValues.timeouts.contains(timeout) {
      note("expect.timeout", "the time is out of bounds", remedy: "use one from 1ms to 1h", step: step)
    }
    if let maxBytes, !DialogValues.sizes.contains(maxBytes) {
      note("expect.maxBytes", "the size is out of bounds", remedy: "use one from 1 to 1GiB", step: step)
    }
  }

  private mutating func checkReject() {
    guard case .reject(let sought) = actions.last, sought.canBeNothing else { return }
    note(
      "reject.matches", "the pattern matches nothing at all, so it would reject everything",
      remedy: "make a part of it obligatory", step: step)
  }

  private mutating func note(_ key: String, _ message: String, remedy: String, step: Int) {
    problems.append(InvalidDialog.Problem(step: step, key: key, InvalidInput(message, remedy: remedy)))
  }
}

extension Dialog.Sought {
  /// Where in a step the value stands, and the value.
  fileprivate var placeAndValue: (place: String, value: String) {
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
