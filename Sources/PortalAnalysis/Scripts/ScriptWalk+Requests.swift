import ProbeASCII

/// The names by which scripts request what is not a page; for redirects, they are names like any other.
enum ScriptRequestWord: String, CaseIterable {
  // Functions, and methods of the common libraries, whose first argument is the URL.
  case fetch, sendBeacon, getJSON, post, axios, webSocket = "WebSocket", eventSource = "EventSource"
  /// jQuery's function, whose first argument is the URL, or an object with it.
  case ajax
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
  /// Records the request of a call, if its name is that of a function for requests.
  mutating func noteRequest(by name: ScriptName, _ arguments: [ScriptValue]) {
    guard let word = ScriptRequestWord(name), let first = arguments.first else { return }
    switch (word, first) {
    case (.url, _), (.source, _): return
    case (.ajax, .record(let record)), (.axios, .record(let record)):
      if let url = fields[Self.key(record, ScriptRequestWord.url.name)] { request(url) }
    default: request(first)
    }
  }

  /// Records the request of a call of a method whose name has other meanings too, of an object that is not known.
  mutating func noteRequest(by word: ScriptWord, ofUnknown arguments: [ScriptValue]) {
    switch word {
    case .open:
      // XMLHttpRequest's, whose first argument is the method of HTTP.
      guard arguments.count > 1, case .text(let method) = arguments[0],
        !method.isEmpty, method.allSatisfy(\.isASCIILetter)
      else { return }
      request(arguments[1])
    case .get, .load: if let first = arguments.first { request(first) }
    default: break
    }
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
