package import ProbeCore

/// Finds out where the scripts of a page redirect to, without executing them.
///
/// The scripts of a page share their variables, so they are read one after the other, in the order of the
/// page, and analyzed together at the end:
///
///     var reader = ScriptReader(page: url)
///     for script in scripts { reader.read(script) }
///     reader.read(onload, when: .loaded)
///     let findings = reader.finish()
package struct ScriptReader {
  /// When a script runs.
  package enum Moment: Hashable, Sendable {
    /// While the page loads, in the order of the page: a `<script>`.
    case loading
    /// When the page has loaded: an `onload` attribute.
    case loaded
    /// On a user action: an `onclick` attribute, or a link with a `javascript:` URL.
    case event
  }

  /// The maximum total length of scripts in bytes.
  package static let maximumLength = 1024 * 1024

  private let page: ProbeURL
  private let elements: [PageElement]
  private var scripts: [(text: [UInt8], moment: Moment)] = []
  private var length = 0

  /// Creates a reader for the scripts of one page.
  ///
  /// - Parameters:
  ///   - page: The URL of the page, from which scripts build URLs.
  ///   - elements: The elements of the page that scripts look up.
  package init(page: ProbeURL, elements: [PageElement] = []) {
    self.page = page
    self.elements = elements
  }

  /// Adds a script.
  ///
  /// - Parameters:
  ///   - script: Its text; what exceeds the limit is ignored.
  ///   - moment: When it runs.
  package mutating func read(_ script: ArraySlice<UInt8>, when moment: Moment = .loading) {
    let text = script.prefix(Self.maximumLength - length)
    guard !text.isEmpty else { return }
    length += text.count
    scripts.append((Array(text), moment))
  }

  /// The result of analyzing the scripts.
  ///
  /// - Parameter findsRequests: Whether requests are wanted too; otherwise most scripts need not be analyzed.
  /// - Returns: The findings.
  package func finish(findingRequests findsRequests: Bool = false) -> ScriptFindings {
    guard findsRequests || scripts.contains(where: { Self.mayRedirect($0.text) }) else {
      return ScriptFindings()
    }
    var walk = ScriptWalk(page: page, elements: elements)
    return walk.run(scripts)
  }

  /// Whether a text contains any word that a redirect needs, or a backslash that may hide one; most scripts
  /// do not.
  private static func mayRedirect(_ text: [UInt8]) -> Bool {
    let words = words
    var index = 0
    while index < text.count {
      if let word = words[Int(widening: text[index])], text[index...].starts(with: word) { return true }
      index += 1
    }
    return false
  }

  /// The words by their first bytes; a backslash may hide any.
  private static let words: [[UInt8]?] = {
    var words = [[UInt8]?](repeating: nil, count: 256)
    for word in [
      "location", "write", "open", "submit", "eval", "navigate", "requestSubmit", "\\u", "unescape",
      "click()", "iframe",
    ] {
      let bytes = Array(word.utf8)
      words[Int(widening: bytes[0])] = bytes
    }
    return words
  }()
}

/// A URL that a script of a page redirects to, found without executing the script.
package struct ScriptRedirect: Hashable, Sendable {
  /// How a script opens another page.
  package enum Manner: String, Hashable, Sendable {
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
    /// A form that the script submits.
    case form

    /// Whether it replaces the page.
    var leaves: Bool { self != .window && self != .frame }
  }

  /// The reference as in the script: relative or absolute, with any scheme.
  package let reference: String
  /// Whether the reference is complete; otherwise unknown parts are left out, and it cannot be opened.
  package let isWhole: Bool
  /// Whether it happens automatically when the page loads; otherwise an action or an event must occur first.
  package var isImmediate: Bool
  /// The method that the script uses.
  package let manner: Manner
}

/// The effects of the scripts of a page, as far as they are known without execution.
package struct ScriptFindings: Hashable, Sendable {
  /// The redirects in the order of the page, without duplicates.
  package var redirects: [ScriptRedirect] = []
  /// Whether they submit a form automatically when the page loads.
  package var submitsForm = false
  /// Whether they certainly redirect to an unknown URL automatically when the page loads.
  package var hasUnknownTarget = false
  /// The references of other requests: `fetch`, `XMLHttpRequest`, sockets, the source of an image or a frame.
  ///
  /// Those of scripts without any redirect are known only if they were asked for.
  package var requests: [String] = []

  package init(
    redirects: [ScriptRedirect] = [], submitsForm: Bool = false, hasUnknownTarget: Bool = false,
    requests: [String] = []
  ) {
    self.redirects = redirects
    self.submitsForm = submitsForm
    self.hasUnknownTarget = hasUnknownTarget
    self.requests = requests
  }
}

extension ScriptFindings {
  /// The maximum number of redirects in a result.
  package static let maximumCount = 32
  /// The maximum length of a reference in bytes; a longer one is left out.
  static let maximumReferenceLength = ProbeURL.maximumLength
}
