import ProbeCore

/// Reads the scripts of a page for where they lead, without running them.
///
/// The scripts of a page share their variables, so they are given one after the other, in the order of the page, and
/// are understood together in the end:
///
///     var reader = ScriptReader(page: url)
///     for script in scripts { reader.read(script) }
///     reader.read(onload, when: .loaded)
///     let findings = reader.finish()
struct ScriptReader {
  /// When a script runs.
  enum Moment: Hashable, Sendable {
    /// While the page loads, in the order of the page: a `<script>`.
    case loading
    /// When the page has loaded: an `onload` attribute.
    case loaded
    /// When somebody does something: an `onclick` attribute, or a link with a `javascript:` URL.
    case event
  }

  /// How many bytes of scripts are read at most, all together.
  static let maximumLength = 1024 * 1024

  private let page: ProbeURL
  private var scripts: [(text: [UInt8], moment: Moment)] = []
  private var length = 0

  /// A reader for the scripts of one page.
  ///
  /// - Parameter page: Where the page is from: scripts build URLs from it.
  init(page: ProbeURL) {
    self.page = page
  }

  /// Takes a script.
  ///
  /// - Parameters:
  ///   - script: Its text; of a script too many, only what the limit leaves.
  ///   - moment: When it runs.
  mutating func read(_ script: ArraySlice<UInt8>, when moment: Moment = .loading) {
    let text = script.prefix(Self.maximumLength - length)
    guard !text.isEmpty else { return }
    length += text.count
    scripts.append((Array(text), moment))
  }

  /// What the scripts do.
  func finish() -> ScriptFindings {
    guard scripts.contains(where: { Self.mayLead($0.text) }) else { return ScriptFindings() }
    var walk = ScriptWalk(page: page)
    return walk.run(scripts)
  }

  /// Whether a text has any of the words without which no script leads anywhere, or may hide one: most scripts are
  /// done with at once.
  private static func mayLead(_ text: [UInt8]) -> Bool {
    text.indices.contains { index in
      guard let word = words[Int(text[index])] else { return false }
      return text[index...].starts(with: word)
    }
  }

  /// The words by their first bytes; a backslash may hide any.
  private static let words: [[UInt8]?] = {
    var words = [[UInt8]?](repeating: nil, count: 256)
    for word in [
      "location", "write", "open", "submit", "eval", "navigate", "requestSubmit", "\\u", "unescape",
    ] {
      let bytes = Array(word.utf8)
      words[Int(bytes[0])] = bytes
    }
    return words
  }()
}

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
