import ProbeCore

/// An abstract walk of the scripts of a page that tracks texts to the redirects that use them.
///
/// It visits the tokens from top to bottom, and enters a function where it is called. A loop over known
/// values is walked for each of them; any other loop is walked once, and what depends on an unknown condition
/// may or may not happen. The work is bounded: by a number of steps proportional to the text, and by depth.
struct ScriptWalk {
  /// The maximum nesting depth of statements, expressions and calls; anything deeper is skipped.
  static let maximumDepth = 48
  /// The limits for scripts inside texts: their number, their total length in bytes, and their nesting.
  static let maximumInnerScripts = (count: 32, length: 128 * 1024, depth: 2)
  /// The maximum number of redirects to examine, including those that turn out to be none.
  static let maximumRedirectsFound = 512
  /// The maximum number of deferred functions.
  static let maximumDeferred = 1024

  /// A part of the walk that is deferred until the page has loaded.
  struct Deferred {
    enum Work {
      case function(Int, [ScriptValue])
      case script([UInt8], depth: Int)
    }
    var work: Work
    var isImmediate: Bool
    var isDoubtful: Bool
    var position: Int
  }

  let page: ProbeURL
  var source: [UInt8] = []
  var tokens: [ScriptToken] = []
  var names = ScriptNames.words

  /// The next token, and the token that ends the current range.
  var at = 0
  var limit = 0
  var steps = 0
  var depth = 0
  /// The number of bytes of text that may still be copied or inspected.
  var textBudget = 32 << 20
  private var redirectCount = 0
  /// The reference of the last redirect, and whether it is to the page itself: a loop repeats one, which may be long.
  private var lastRedirect: (reference: String, isSamePage: Bool)?

  /// Whether the current code runs automatically when the page loads.
  var isImmediate = true
  /// Whether the current code depends on a false condition.
  var isDead = false
  /// Whether known values can decide conditions; false in code that may run at any time.
  var trustsConditions = true
  var position: Int?
  var innerDepth = 0
  var innerScripts = (count: 0, length: 0)
  /// The number of tokens that may still be walked in repetitions: rounds of loops, and functions that are
  /// called for each value.
  private var repetitions = 20_000

  /// The variables by name; a function restores the outer ones of the same names when it ends.
  var variables: [ScriptValue?] = []
  var fields: [UInt64: ScriptValue] = [:]
  var recordCount: Int32 = 0
  /// The names of the members of each object, in their order.
  var keys: [Int32: [ScriptName]] = [:]
  /// The arrays: only of these does `length` count the elements.
  var arrays: Set<Int32> = []
  /// The objects that may be others, with further members, as `A` in `A = A || {}`.
  var openRecords: Set<Int32> = []
  /// The objects about which nothing is known any longer.
  var spoiled: Set<Int32> = []
  /// The elements of the page, and of markup that scripts add to it.
  var pageElements: [PageElement]
  var elements: [Int32: Element] = [:]
  /// The elements by their index in the page, such as `:0`, or by their selector.
  var selected: [[UInt8]: Int32] = [:]
  var functions: [ScriptFunction] = []
  var functionNumbers: [Int: Int] = [:]
  var calls: [ScriptCall] = []
  /// The last values of the local variables of calls that have created functions.
  var scopes: [[(name: ScriptName, value: ScriptValue?)]] = []
  /// The variables of each open block, whose previous values are restored when it ends.
  var blocks: [[(name: ScriptName, old: ScriptValue?)]] = []
  /// The number of times that a function was created.
  var creations = 0
  /// Whether the declarations being walked belong to a block.
  var isBlockLevel = false
  /// The number of nested branches that may or may not be taken, and their changes.
  var openWays = 0
  var changes: [(slot: ScriptSlot, old: ScriptValue?)] = []
  /// The number of loops whose changes are recorded, too.
  var logs = 0
  /// The last `break`, `continue`, `return` or `throw`, and the number of those that may or may not happen.
  var jump: ScriptWord?
  var doubtfulJumps = 0
  /// Whether code under an unknown condition may already have ended the script or the function.
  var isDoubtful = false
  /// Whether the page is certainly left automatically.
  var leaves = false

  var deferred: [Deferred] = []
  var written: [UInt8] = []
  var writtenAt = 0
  var isWrittenDoubtful = false
  var found: [(redirect: ScriptRedirect, position: Int)] = []
  var submitsForm = false
  /// The URLs of requests that do not open a page.
  var requests: [String] = []

  init(page: ProbeURL, elements: [PageElement] = []) {
    self.page = page
    pageElements = elements
  }

  /// Analyzes the scripts of a page, in its order.
  mutating func run(_ scripts: [(text: [UInt8], moment: ScriptReader.Moment)]) -> ScriptFindings {
    let starts = scripts.map { lex($0.text) }
    steps = tokens.count * 6 + 10_000
    for (script, start) in zip(scripts, starts) where script.moment == .loading { walkScript(from: start) }
    readWritten()
    for (script, start) in zip(scripts, starts) where script.moment == .loaded { walkScript(from: start) }
    runDeferred()
    isImmediate = false
    trustsConditions = false
    for (script, start) in zip(scripts, starts) where script.moment == .event { walkScript(from: start) }
    runRemainingFunctions()
    runDeferred()
    return findings
  }

  private var findings: ScriptFindings {
    // In the order of the page: a function often precedes its caller, and a redirect is listed where it is
    // written.
    let sorted = found.enumerated().sorted {
      ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
    }
    let redirects = sorted.map(\.element.redirect)
    let isReported = redirects.contains { $0.isImmediate && $0.manner.leaves }
    return ScriptFindings(
      redirects: redirects, submitsForm: submitsForm, hasUnknownTarget: leaves && !isReported,
      requests: requests)
  }

  /// Splits a script into tokens.
  ///
  /// - Returns: The index of its first token.
  mutating func lex(_ text: [UInt8]) -> Int {
    let start = tokens.count
    let begin = source.count
    source += text
    var lexer = ScriptLexer(source, begin..<source.count, tokens: tokens, names: names)
    // The lexer holds the only references meanwhile, so that appending copies nothing.
    (tokens, names) = ([], .words)
    lexer.run()
    tokens = lexer.tokens
    names = lexer.names
    while variables.count < names.count { variables.append(nil) }
    declareFunctions(from: start)
    return start
  }

  private mutating func walkScript<Result>(from start: Int, _ body: (inout ScriptWalk) -> Result) -> Result {
    let before = (at, limit)
    at = start
    limit = start
    while tokens[limit].kind != .end { limit += 1 }
    defer { (at, limit) = before }
    return body(&self)
  }

  private mutating func walkScript(from start: Int) {
    _ = walkScript(from: start) { $0.walkStatements() }
  }

  /// Walks a text as a script, immediately.
  mutating func walkInner(_ text: [UInt8]) {
    _ = walkInner(text) { $0.walkStatements() }
  }

  /// Walks a text, immediately.
  ///
  /// - Returns: What the body returns; nil if the text is beyond the limits.
  mutating func walkInner<Result>(_ text: [UInt8], _ body: (inout ScriptWalk) -> Result) -> Result? {
    guard !isDead, innerDepth < Self.maximumInnerScripts.depth, depth < Self.maximumDepth,
      innerScripts.count < Self.maximumInnerScripts.count,
      innerScripts.length + text.count <= Self.maximumInnerScripts.length
    else { return nil }
    innerScripts.count += 1
    innerScripts.length += text.count
    let before = position
    position = position ?? at
    innerDepth += 1
    depth += 1
    let start = lex(text.map { $0 == ScriptText.hole ? UInt8(ascii: " ") : $0 })
    steps += (tokens.count - start) * 4
    let result = walkScript(from: start, body)
    depth -= 1
    innerDepth -= 1
    position = before
    return result
  }

  /// Whether tokens may be walked several times.
  mutating func mayRepeat(_ tokens: Range<Int>, times: Int) -> Bool {
    let (count, isTooLarge) = tokens.count.multipliedReportingOverflow(by: times)
    guard !isTooLarge, count <= repetitions else { return false }
    repetitions -= count
    steps += count * 4
    return true
  }

  /// Defers a part until the page has loaded.
  mutating func put(off work: Deferred.Work) {
    guard !isDead, deferred.count < Self.maximumDeferred else { return }
    deferred.append(
      Deferred(
        work: work, isImmediate: isImmediate, isDoubtful: isDoubtful || openWays > 0, position: position ?? at
      ))
  }

  private mutating func runDeferred() {
    var next = 0
    while next < deferred.count {
      let part = deferred[next]
      next += 1
      (isImmediate, isDoubtful) = (part.isImmediate, part.isDoubtful)
      switch part.work {
      case .function(let number, let arguments):
        if !functions[number].hasRun { _ = walk(function: number, arguments: arguments) }
      case .script(let text, let depth):
        (innerDepth, position) = (depth, part.position)
        walkInner(text)
        (innerDepth, position) = (0, nil)
      }
      readWritten()
    }
    deferred = []
  }

  /// Walks the functions that have not been called so far: events may call them.
  private mutating func runRemainingFunctions() {
    var number = 0
    while number < functions.count {
      let isKnown = functions[number].hasRun || functions[number].isExplored
      if !isKnown { _ = walk(function: number, arguments: []) }
      number += 1
    }
  }
}

// MARK: Findings

extension ScriptWalk {
  /// Records that the scripts redirect to a value.
  mutating func recordRedirect(to value: ScriptValue, _ manner: ScriptRedirect.Manner) {
    guard !isDead, redirectCount < Self.maximumRedirectsFound else { return }
    redirectCount += 1
    var value = value
    if case .record(let record) = value, let text = text(ofURL: record) { value = .text(text) }
    switch value {
    case .text(let text):
      if let (reference, isWhole) = ScriptText.reference(text) {
        // `==` finds texts equal that a URL encodes differently (Unicode UAX #15).
        let isSame = lastRedirect?.reference.utf8.elementsEqual(reference.utf8) == true
        let isHere = isSame ? lastRedirect?.isSamePage == true : isSamePage(reference)
        lastRedirect = (reference, isHere)
        guard !isHere else { return }
        note(ScriptRedirect(reference: reference, isWhole: isWhole, isImmediate: isImmediate, manner: manner))
      }
    case .unknown, .element: break
    default: return
    }
    if isImmediate, !isDoubtful, manner.leaves { leaves = true }
  }

  private mutating func note(_ redirect: ScriptRedirect) {
    if let index = found.firstIndex(where: {
      $0.redirect.reference.utf8.elementsEqual(redirect.reference.utf8)
        && $0.redirect.isWhole == redirect.isWhole
    }) {
      if isImmediate { found[index].redirect.isImmediate = true }
    } else if found.count < ScriptFindings.maximumCount {
      found.append((redirect, position ?? at))
    }
  }

  /// Whether a reference is to the page itself, which then only reloads or leaves a frame.
  private func isSamePage(_ reference: String) -> Bool {
    guard let target = page.resolve(reference) else { return false }
    func whole(_ url: ProbeURL) -> Substring.UTF8View { url.string.utf8.prefix { $0 != UInt8(ascii: "#") } }
    let (mine, other) = (whole(page), whole(target))
    if mine.elementsEqual(other) { return true }
    // An empty path and a slash are equivalent.
    return page.path.isEmpty && target.path == "/" && other.last == UInt8(ascii: "/")
      && mine.elementsEqual(other.dropLast())
  }
}
