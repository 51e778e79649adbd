/// A place that a script of a page leads to, found by reading the script, not by running it.
struct ScriptRedirect: Hashable, Sendable {
  /// How a script leads to another page.
  enum Manner: String, Hashable, Sendable {
    /// An assignment to `location` or to its `href`, or by jQuery's `attr`.
    case assignment
    /// A call of `location.replace`, `location.assign` or `navigate`.
    case call
    /// A call of `window.open`.
    case window
    /// A `<meta http-equiv="refresh">` that the script writes into the page.
    case refresh
    /// A frame that the script writes into the page.
    case frame

    /// Whether the page is left for it.
    var leaves: Bool { self != .window && self != .frame }
  }

  /// Where it leads, as the script would say it: relative or absolute, and of any scheme.
  let reference: String
  /// Whether that is all of it; otherwise parts that are not known are left out, and it is no place to open.
  let isWhole: Bool
  /// Whether it happens by itself when the page loads; otherwise somebody or something has to act first.
  var isImmediate: Bool
  /// How the script does it.
  let manner: Manner
}

/// What the scripts of a page would do, as far as reading tells.
struct ScriptFindings: Hashable, Sendable {
  /// Where they lead, in the order of the page; each place once.
  var redirects: [ScriptRedirect] = []
  /// Whether they send a form of the page by themselves when it loads.
  var submitsForm = false
  /// Whether they are certain to lead, by themselves when the page loads, to a place of which reading tells nothing.
  var leadsToUnknown = false
}

extension ScriptFindings {
  /// How many redirects are told at most.
  static let maximumCount = 32
  /// How long a reference is at most, in bytes; a longer one is left out.
  static let maximumReferenceLength = 8192
}
