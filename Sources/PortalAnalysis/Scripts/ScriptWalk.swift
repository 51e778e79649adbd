import ProbeCore

/// A walk through the scripts of a page that follows texts to where they lead.
///
/// It goes along the tokens once, top to bottom, and into a function where one is called. Loops are gone through once,
/// and what stands under a condition that is not known may happen or not. The work is bounded: by a number of steps in
/// proportion to the text, and by depth.
struct ScriptWalk {
  /// How deep statements, expressions and calls may be nested; what is deeper is passed over.
  static let maximumDepth = 48
  /// How many scripts that are in texts are read at most, how many bytes of them, and how deep in one another.
  static let maximumInnerScripts = (count: 32, length: 128 * 1024, depth: 2)
  /// How many places that the scripts lead to are looked at, those that turn out to be none included.
  static let maximumLeads = 512
  /// How many functions are put off at most.
  static let maximumDeferred = 1024

  /// A part of the walk that waits until the page has loaded.
  struct Deferred {
    enum Work {
      case function(Int)
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

  /// The token that is next, and the one that ends what is read.
  var at = 0
  var limit = 0
  var steps = 0
  var depth = 0
  /// How many bytes of text may still be copied, or looked at.
  var textBudget = 32 << 20
  private var leads = 0

  /// Whether what is walked through happens when the page loads.
  var isImmediate = true
  /// Whether it stands under a condition that is false.
  var isDead = false
  /// Whether conditions tell what is true at the time: not in what may run at any time.
  var trustsConditions = true
  var position: Int?
  var innerDepth = 0
  var innerScripts = (count: 0, length: 0)

  /// The variables by their names; functions keep those of their own apart by putting the others back in the end.
  var variables: [ScriptValue?] = []
  var fields: [UInt64: ScriptValue] = [:]
  var recordCount: Int32 = 0
  var functions: [ScriptFunction] = []
  var functionNumbers: [Int: Int] = [:]
  var calls: [ScriptCall] = []
  /// How many ways of which nobody knows whether they are taken are being walked along, and what that changed.
  var openWays = 0
  var changes: [(slot: ScriptSlot, old: ScriptValue?)] = []
  /// Whether something under a condition that is not known may have ended the script or the function before.
  var isDoubtful = false
  /// Whether the page is certain to be left by itself.
  var leaves = false

  var deferred: [Deferred] = []
  var written: [UInt8] = []
  var writtenAt = 0
  var isWrittenDoubtful = false
  var found: [(redirect: ScriptRedirect, position: Int)] = []
  var submitsForm = false

  init(page: ProbeURL) {
    self.page = page
  }

  /// Reads the scripts of a page, in its order.
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
    // In the order of the page: a function often stands before what calls it, a redirect in it is where it stands.
    let sorted = found.enumerated().sorted {
      ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
    }
    let redirects = sorted.map(\.element.redirect)
    let isTold = redirects.contains { $0.isImmediate && $0.manner.leaves }
    return ScriptFindings(
      redirects: redirects, submitsForm: submitsForm, leadsToUnknown: leaves && !isTold)
  }

  /// Splits a script into tokens.
  ///
  /// - Returns: Its first token.
  mutating func lex(_ text: [UInt8]) -> Int {
    let start = tokens.count
    let begin = source.count
    source += text
    var lexer = ScriptLexer(source, begin..<source.count, tokens: tokens, names: names)
    // The lexer has them alone meanwhile, so that adding to them copies nothing.
    (tokens, names) = ([], .words)
    lexer.run()
    tokens = lexer.tokens
    names = lexer.names
    while variables.count < names.count { variables.append(nil) }
    declareFunctions(from: start)
    return start
  }

  /// Walks through a script up to its end.
  mutating func walkScript(from start: Int) {
    let before = (at, limit)
    at = start
    limit = start
    while tokens[limit].kind != .end { limit += 1 }
    walkStatements()
    (at, limit) = before
  }

  /// Reads a text as a script, at once.
  mutating func walkInner(_ text: [UInt8]) {
    guard !isDead, innerDepth < Self.maximumInnerScripts.depth, depth < Self.maximumDepth,
      innerScripts.count < Self.maximumInnerScripts.count,
      innerScripts.length + text.count <= Self.maximumInnerScripts.length
    else { return }
    innerScripts.count += 1
    innerScripts.length += text.count
    let before = position
    position = position ?? at
    innerDepth += 1
    depth += 1
    let start = lex(text.map { $0 == ScriptText.hole ? UInt8(ascii: " ") : $0 })
    steps += (tokens.count - start) * 4
    walkScript(from: start)
    depth -= 1
    innerDepth -= 1
    position = before
  }

  /// Puts a part off until the page has loaded.
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
      case .function(let number):
        if !functions[number].hasRun { _ = walk(function: number, arguments: []) }
      case .script(let text, let depth):
        (innerDepth, position) = (depth, part.position)
        walkInner(text)
        (innerDepth, position) = (0, nil)
      }
      readWritten()
    }
    deferred = []
  }

  /// Walks through the functions that nothing called so far: somebody may.
  private mutating func runRemainingFunctions() {
    var number = 0
    while number < functions.count {
      if !functions[number].hasRun { _ = walk(function: number, arguments: []) }
      number += 1
    }
  }
}

// MARK: What is found

extension ScriptWalk {
  /// Notes that a value is where the scripts lead.
  mutating func lead(to value: ScriptValue, _ manner: ScriptRedirect.Manner) {
    guard !isDead, leads < Self.maximumLeads else { return }
    leads += 1
    switch value {
    case .text(let text):
      if let (reference, isWhole) = ScriptText.reference(text) {
        guard !leadsHere(reference) else { return }
        note(ScriptRedirect(reference: reference, isWhole: isWhole, isImmediate: isImmediate, manner: manner))
      }
    case .unknown: break
    default: return
    }
    if isImmediate, !isDoubtful, manner.leaves { leaves = true }
  }

  private mutating func note(_ redirect: ScriptRedirect) {
    if let index = found.firstIndex(where: {
      ($0.redirect.reference, $0.redirect.isWhole) == (redirect.reference, redirect.isWhole)
    }) {
      if isImmediate { found[index].redirect.isImmediate = true }
    } else if found.count < ScriptFindings.maximumCount {
      found.append((redirect, position ?? at))
    }
  }

  /// Whether a reference is to the page itself: then it is only loaded again, or gets out of a frame.
  private func leadsHere(_ reference: String) -> Bool {
    guard let target = page.resolve(reference) else { return false }
    func whole(_ url: ProbeURL) -> Substring.UTF8View { url.string.utf8.prefix { $0 != UInt8(ascii: "#") } }
    let (mine, other) = (whole(page), whole(target))
    if mine.elementsEqual(other) { return true }
    // A path of nothing and one of a slash are the same.
    return page.path.isEmpty && target.path == "/" && other.last == UInt8(ascii: "/")
      && mine.elementsEqual(other.dropLast())
  }
}
