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
  init(_ steps: [Dialog.Step], _ parts: CompiledParts? = nil) throws(InvalidDialog) {
    let compiler = DialogCompiler(steps, parts)
    guard compiler.problems.isEmpty else { throw InvalidDialog(compiler.problems) }
    actions = compiler.actions
  }

  /// About how many bytes its patterns take.
  var compiledSize: Int {
    actions.reduce(0) { sum, action in
      switch action {
      case .expect(let sought, _, _), .reject(let sought): sum + sought.compiledSize
      case .send: sum
      }
    }
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
