/// The words that the analysis of scripts knows.
enum ScriptWord: String, CaseIterable, Sendable {
  // Keywords, including contextual ones.
  case `var`, `let`, const, `if`, `else`, `for`, `while`, `do`, `switch`, `case`, `default`, `try`, `catch`
  case finally, function, `class`, `return`, `throw`, `break`, `continue`, new, delete, `typeof`, void, `in`
  case instanceof, this, null, `true`, `false`, async, await, yield, extends, undefined

  // Objects.
  case window, selfWindow = "self", top, parent, globalThis, frames, document, location, defaultView, body
  case documentElement, jQuery, dollar = "$"

  // Members of locations and documents.
  case href, scheme = "protocol", host, hostname, port, pathname, search, hash, origin, documentURL = "URL"
  case documentURI, baseURI, domain

  // Redirects, writes, and deferred execution.
  case replace, assign, navigate, open, write, writeln, attr, prop, submit, requestSubmit, eval
  case setTimeout, setInterval, requestAnimationFrame
  case addEventListener, attachEvent, onload, onpageshow, onreadystatechange, ready, load, on, bind, one
  case call, apply

  // Text conversions.
  case encodeURIComponent, encodeURI, decodeURIComponent, decodeURI, escape, unescape, atob, btoa
  case toText = "String", toString, valueOf, concat, trim, toLowerCase, toUpperCase, substring, substr, slice
  case fromCharCode, object = "Object"

  // Text queries.
  case indexOf, lastIndexOf, includes, match, split, test, length

  /// The words by index.
  static let numbered = Array(allCases)
  /// The name of the length of an array or a text.
  static let lengthName = ScriptName(numbered.firstIndex(of: .length) ?? 0)
}

/// The index of a name of a script: the known words come first.
typealias ScriptName = Int32

/// The names of a script, each with an index, so that the analysis compares integers.
///
/// Their bytes are copied into one array: slices of the script would keep every version of its text alive.
struct ScriptNames {
  private var table: [ScriptName]
  private var bytes: [UInt8] = []
  /// The end of each name in the bytes; it starts at the end of the previous one.
  private var ends: [Int32] = []

  /// The table with only the known words; created once.
  static let words: ScriptNames = {
    var names = ScriptNames()
    for word in ScriptWord.numbered { _ = names.number(of: Array(word.rawValue.utf8)[...]) }
    return names
  }()

  private init() {
    table = Array(repeating: -1, count: 512)
  }

  /// The number of names.
  var count: Int { ends.count }

  /// The index of a name; a new one gets the next index.
  mutating func number(of name: ArraySlice<UInt8>) -> ScriptName {
    var slot = slot(of: name)
    if table[slot] >= 0 { return table[slot] }
    if count * 2 >= table.count {
      grow()
      slot = self.slot(of: name)
    }
    bytes += name
    ends.append(Int32(bytes.count))
    table[slot] = ScriptName(count - 1)
    return table[slot]
  }

  /// The index of a name, if it is known.
  func knownNumber(of name: ArraySlice<UInt8>) -> ScriptName? {
    let number = table[slot(of: name)]
    return number >= 0 ? number : nil
  }

  private func slot(of name: ArraySlice<UInt8>) -> Int {
    // FNV-1a, with the bits mixed because only the low ones are used.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var slot = Int(truncatingIfNeeded: hash ^ (hash >> 32)) & (table.count - 1)
    while table[slot] >= 0, !isName(Int(table[slot]), name) { slot = (slot + 1) & (table.count - 1) }
    return slot
  }

  private func isName(_ number: Int, _ name: ArraySlice<UInt8>) -> Bool {
    bytes[range(of: number)].elementsEqual(name)
  }

  private func range(of number: Int) -> Range<Int> {
    (number > 0 ? Int(ends[number - 1]) : 0)..<Int(ends[number])
  }

  private mutating func grow() {
    table = Array(repeating: -1, count: table.count * 2)
    for number in 0..<count { table[slot(of: bytes[range(of: number)])] = ScriptName(number) }
  }
}
