import ProbeCore
import ProbeBase

/// The state that the steps of a set share during a run: cookies, and captured values.
///
/// One step runs at a time. The cookies, and the values that a later step uses, count as secrets of the later
/// requests.
package final class StepSequence: CookieKeeper {
  private struct State {
    var jar = CookieJar()
    var values: [StepReference: String] = [:]
    /// The step that runs, with its complete request.
    var current: PlannedProbe?
  }

  /// The values that steps use.
  private let used: Set<StepReference>
  private let state = Guarded(State())

  /// Creates the state before the first step.
  init(_ steps: [PlannedProbe]) {
    used = Set(steps.flatMap { (try? $0.request.get())?.stepReferences ?? [] })
  }

  /// Begins a step.
  ///
  /// - Returns: Its request, with cookies and captured values.
  /// - Throws: ``ProbeFailure`` if a value is missing or cannot be sent.
  func begin(_ step: PlannedProbe) throws(ProbeFailure) -> ProbeRequest {
    let values = state.withLock { state in
      state.current = nil
      return state.values
    }
    let original = try step.request.get()
    func value(of reference: StepReference) throws(ProbeFailure) -> String {
      guard let value = values[reference] else {
        throw ProbeFailure(
          .stepValue,
          "\(reference): the step \(Excerpt(reference.step)) did not capture \(Excerpt(reference.capture))")
      }
      guard !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
        throw ProbeFailure(.stepValue, "\(reference): the captured value contains control characters")
      }
      return value
    }
    var request = try original.filled(value)
    request.url = try Self.url(original.filledURL(value), of: original.url)
    // Also in the forms in which they are sent: no redirect to another origin may pass them on.
    request.otherSecrets += Set(original.stepReferences.compactMap { values[$0] }.flatMap(\.formsInRequests))
      .subtracting([""]).sorted().map { Secret($0) }
    // Without the reference to this object, which it would otherwise keep forever.
    state.withLock { $0.current = step.requesting(request) }
    request.cookies = self
    return request
  }

  /// A URL with captured values.
  ///
  /// - Throws: ``ProbeFailure`` if it is too long, or a value is `.` or `..` and would name another folder.
  private static func url(_ text: String, of original: ProbeURL) throws(ProbeFailure) -> ProbeURL {
    guard text != original.string else { return original }
    let url: ProbeURL
    do {
      url = try ProbeURL(text)
    } catch {
      throw ProbeFailure(.stepValue, "with the captured value, \(error.message)")
    }
    guard url.dotSegments == original.dotSegments else {
      throw ProbeFailure(.stepValue, "with the captured value, a part of the URL's path is . or ..")
    }
    return url
  }

  /// The step that runs, with its complete request apart from the cookies; nil if it could not begin.
  var current: PlannedProbe? { state.withLock(\.current) }

  /// Keeps the captured values of an accepted step, before they are redacted.
  func keep(_ result: ProbeResult, of step: PlannedProbe) {
    guard result.outcome == .accepted, let name = step.name else { return }
    state.withLock { state in
      for (capture, value) in result.captures {
        state.values[StepReference(step: name, capture: capture)] = value
      }
    }
  }

  /// Hides the captured values of a step that later ones use.
  func hide(in result: inout ProbeResult, of step: PlannedProbe) {
    for capture in result.captures.keys
    where used.contains(StepReference(step: step.name ?? "", capture: capture)) {
      result.captures[capture] = Secret.placeholder
    }
  }

  /// The cookies and the captured values that are in use.
  var secrets: [Secret] {
    let (jar, values) = state.withLock { ($0.jar, $0.values) }
    let captured = values.filter { used.contains($0.key) }.sorted { "\($0.key)" < "\($1.key)" }.map(\.value)
    return (captured + jar.secretValues).map { Secret($0) }
  }

  func field(for url: ProbeURL) -> String? {
    let jar = state.withLock(\.jar)
    return jar.field(for: url)
  }

  func keep(_ fields: HeaderFields, from url: ProbeURL) {
    state.withLock { $0.jar.keep(fields, from: url) }
  }
}

extension ProbeURL {
  /// How many parts of the path can be read as `.` or `..`.
  fileprivate var dotSegments: Int {
    path.utf8.split(separator: UInt8(ascii: "/")).count { PathPart($0).namesOtherFolder }
  }
}

extension ProbePlan {
  /// A sequence for each set of steps, by the positions of its probes.
  var sequences: [Int: StepSequence] {
    var sequences: [Int: StepSequence] = [:]
    var position = 0
    for set in sets {
      let next = position + set.probes.count
      if set.isSequence {
        let sequence = StepSequence(set.probes)
        for index in position..<next { sequences[index] = sequence }
      }
      position = next
    }
    return sequences
  }
}
