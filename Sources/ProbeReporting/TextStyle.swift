import ProbeCore
import ProbePipeline

/// How parts of a text for a person are set off, where colour is wanted.
package struct TextStyle: Sendable {
  /// A kind of emphasis, as the parameter of the SGR control function (ECMA-48 §8.3.117).
  package enum Emphasis: Int, Sendable {
    case good = 32
    case bad = 31
    case warning = 33
    case faint = 2
    case strong = 1
  }

  /// Whether colour is wanted.
  package var usesColor: Bool

  /// A style.
  package init(usesColor: Bool) {
    self.usesColor = usesColor
  }

  /// The text, set off.
  package func apply(_ emphasis: Emphasis, _ text: String) -> String {
    usesColor ? "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension Verdict {
  package var emphasis: TextStyle.Emphasis {
    switch self {
    case .online: .good
    case .captivePortal, .intercepted, .partial, .inconclusive: .warning
    case .offline: .bad
    }
  }
}

extension Outcome {
  var emphasis: TextStyle.Emphasis {
    switch self {
    case .accepted: .good
    case .intercepted: .warning
    case .failed: .bad
    case .skipped: .faint
    }
  }

  var symbol: String {
    switch self {
    case .accepted: "✓"
    case .intercepted: "!"
    case .failed: "✗"
    case .skipped: "-"
    }
  }
}
