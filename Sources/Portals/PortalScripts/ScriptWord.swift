import ProbeBase

/// The words that the analysis of scripts knows.
enum ScriptWord: String, CaseIterable, Sendable {
  // Keywords, including contextual ones.
  case `var`, `let`, const, `if`, `else`, `for`, `while`, `do`, `switch`, `case`, `default`, `try`, `catch`
  case finally, function, `class`, `return`, `throw`, `break`, `continue`, new, delete, `typeof`, void, `in`
  case instanceof, of, this, null, `true`, `false`, async, await, yield, extends, undefined

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

  // Elements.
  case createElement, getElementById, querySelector, forms, action, method, click, val, data, getAttribute,
    setAttribute
  case appendChild, insertBefore, appendTo, hide, show, innerHTML, dataset

  // Text conversions.
  case encodeURIComponent, encodeURI, decodeURIComponent, decodeURI, escape, unescape, atob, btoa
  case toText = "String", toString, valueOf, concat, trim, toLowerCase, toUpperCase, substring, substr, slice
  case fromCharCode, object = "Object"

  // Arrays, objects, and queries of URLs.
  case constructor, hasOwnProperty, join, push, pop, map, forEach, reverse, keys, entries, parse, get, set,
    append, searchParams, params = "URLSearchParams"

  // Text queries.
  case indexOf, lastIndexOf, includes, match, split, test, length

  /// The words by index.
  static let numbered = Array(allCases)
  /// The index of this word as a name.
  var name: ScriptName { Self.names[self] ?? -1 }
  private static let names = Dictionary(
    uniqueKeysWithValues: numbered.enumerated().map { ($1, ScriptName($0)) })
}

/// The index of a name of a script: the known words come first.
typealias ScriptName = Int32

/// The names of a script, each with an index, so that the analysis compares integers.
struct ScriptNames {
  private var numbers: [[UInt8]: ScriptName] = [:]
  private var texts: [[UInt8]] = []

  /// The table with only the known words, and after them those of ``ScriptRequestWord``; created once.
  static let words: ScriptNames = {
    var names = ScriptNames()
    let known = ScriptWord.numbered.map(\.rawValue) + ScriptRequestWord.allCases.map(\.rawValue)
    for word in known { _ = names.number(of: Array(word.utf8)[...]) }
    return names
  }()

  var count: Int { texts.count }

  /// The index of a name; a new one receives the next index.
  mutating func number(of name: ArraySlice<UInt8>) -> ScriptName {
    let name = Array(name)
    if let known = numbers[name] { return known }
    numbers[name] = ScriptName(count)
    texts.append(name)
    return ScriptName(count - 1)
  }

  func text(of number: ScriptName) -> [UInt8] { texts[Int(widening: number)] }
}
