import ProbeBase

/// The names by which scripts request what is not a page; for redirects, they are names like any other.
enum ScriptRequestWord: String, CaseIterable {
  // Functions and classes whose first argument is the URL.
  case fetch, axios, request = "Request", webSocket = "WebSocket", eventSource = "EventSource"
  // Methods of the browser and of the common libraries, likewise; another function may have the name.
  case sendBeacon, getJSON, getScript, post
  /// jQuery's function, whose first argument is the URL, or an object with it.
  case ajax
  /// A method with markup as its second argument.
  case insertAdjacentHTML
  /// The member of that object.
  case url
  /// The attribute of images, scripts and frames.
  case source = "src"

  private static let numbered = Array(allCases)

  /// The word with this index as a name; nil if the name is another one.
  init?(_ name: ScriptName) {
    let number = Int(widening: name) - ScriptWord.numbered.count
    guard Self.numbered.indices.contains(number) else { return nil }
    self = Self.numbered[number]
  }

  /// The index of this word as a name.
  var name: ScriptName {
    ScriptName(clamping: ScriptWord.numbered.count + (Self.numbered.firstIndex(of: self) ?? 0))
  }
}

/// The requests of scripts that do not open a page.
extension ScriptWalk {
  /// The methods of HTTP with which XMLHttpRequest opens a URL.
  private static let methods = Set(
    ["GET", "POST", "PUT", "HEAD", "PATCH", "DELETE", "OPTIONS"].map { Array($0.utf8) })

  /// Records the request of a call, if its name is that of a function for requests.
  mutating func noteRequest(by name: ScriptName, _ arguments: [ScriptValue], isMethod: Bool) {
    guard let word = ScriptRequestWord(name), let first = arguments.first else { return }
    switch (word, first) {
    case (.url, _), (.source, _): return
    case (.ajax, .record(let record)) where isMethod, (.axios, .record(let record)):
      if let url = fields[Self.key(record, ScriptRequestWord.url.name)] { request(url) }
    case (.fetch, _), (.axios, _), (.request, _), (.webSocket, _), (.eventSource, _): request(first)
    case (.insertAdjacentHTML, _):
      if isMethod, arguments.count > 1 { _ = addElements(of: arguments[1]) }
    case (.sendBeacon, _), (.getJSON, _), (.getScript, _), (.post, _), (.ajax, _):
      if isMethod { request(first) }
    }
  }

  /// Records the request of a call of a method whose name has other meanings too, of an object that is not known.
  mutating func noteRequest(by word: ScriptWord, ofUnknown arguments: [ScriptValue]) {
    switch word {
    case .open:
      // XMLHttpRequest's, whose first argument is the method of HTTP.
      guard arguments.count > 1, case .text(let method) = arguments[0],
        Self.methods.contains(method.map { (0x61...0x7A).contains($0) ? $0 & ~0x20 : $0 })
      else { return }
      request(arguments[1])
    case .get, .load:
      // Much else has methods of these names.
      guard case .text(let text)? = arguments.first,
        ["http:", "https:", "//"].contains(where: { text.starts(with: $0.utf8) })
      else { return }
      request(.text(text))
    default: break
    }
  }

  /// Records the request for the source of an element, if that is the attribute to be set.
  mutating func noteRequest(settingAttribute arguments: [ScriptValue]) {
    guard arguments.count > 1, case .text(let name) = arguments[0], name == Array("src".utf8) else { return }
    request(arguments[1])
  }

  /// Records a request, unless its URL is relative: the page itself has that host.
  mutating func request(_ value: ScriptValue) {
    guard !isDead, requests.count < ScriptFindings.maximumCount else { return }
    var value = value
    if case .record(let record) = value, let text = text(ofURL: record) { value = .text(text) }
    guard case .text(let text) = value, let (reference, _) = ScriptText.reference(text),
      reference.utf8.contains(UInt8(ascii: "/")), !requests.contains(reference)
    else { return }
    requests.append(reference)
  }
}
