import ProbeBase

/// A page without its inlined images and style sheets, which do not show its purpose and can be most of it.
///
/// The text of `<style>` elements is omitted, and of attributes longer than ``shortValue``: the value of `style`;
/// the values of `d` and `points`, the coordinates of SVG drawings, on any element; and of a `data:` URL what
/// follows its first bytes. Everything else is unchanged. The page is split into tags as by the tokenizer of the
/// HTML standard (§13.2.5), except for scripts that contain scripts in comments. The work is linear in the length
/// of the page.
@safe struct CondensedPage {
  /// The maximum length in bytes of a value that is kept whole, and the length to which a `data:` URL is shortened.
  private static let shortValue = 64

  private let page: UnsafeBufferPointer<UInt8>
  private let length: Int
  /// The maximum length in bytes of the condensed page.
  private let limit: Int
  /// Whether to keep the text of `<style>` elements and `style` attributes.
  private let keepsStyles: Bool
  private var position = 0
  /// The page up to ``handled``, without the omitted parts.
  private var kept: [UInt8] = []
  /// The index up to which the page has been kept or omitted.
  private var handled = 0

  /// Condenses a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - limit: The maximum length in bytes of the condensed page; the rest is omitted too.
  ///   - keepsStyles: Whether to keep the text of `<style>` elements and `style` attributes.
  /// - Returns: The condensed page, at most `limit` bytes; nil if nothing before that length is left out: then
  ///   the limit is not applied, and the page is used as it is.
  static func bytes(of page: borrowing Span<UInt8>, upTo limit: Int, keepingStyles keepsStyles: Bool = false)
    -> [UInt8]?
  {
    unsafe page.withUnsafeBufferPointer { page in
      var condensed = unsafe CondensedPage(page, limit, keepsStyles)
      condensed.scan()
      guard condensed.handled > 0 else { return nil }
      condensed.keep(upTo: page.count)
      return condensed.kept
    }
  }

  private init(_ page: UnsafeBufferPointer<UInt8>, _ limit: Int, _ keepsStyles: Bool) {
    unsafe self.page = unsafe page
    self.limit = limit
    self.keepsStyles = keepsStyles
    length = page.count
  }

  private var isFull: Bool { kept.count + (position - handled) >= limit }

  /// Copies the page up to an index, as far as the limit allows.
  private mutating func keep(upTo end: Int) {
    let count = min(end - handled, max(0, limit - kept.count))
    unsafe kept.append(contentsOf: page.extracting(handled..<(handled + count)))
    handled = end
  }

  private mutating func omit(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    keep(upTo: range.lowerBound)
    handled = range.upperBound
  }
}

/// Markup.
extension CondensedPage {
  private mutating func scan() {
    while !isFull, let start = index(of: UInt8(ascii: "<"), from: position) {
      position = start + 1
      switch byte(at: position) {
      case UInt8(ascii: "!"): skipDeclaration()
      case UInt8(ascii: "?"): skip(past: UInt8(ascii: ">"))
      case UInt8(ascii: "/"):
        position += 1
        if byte(at: position)?.isASCIILetter == true { readTag() } else { skip(past: UInt8(ascii: ">")) }
      case let letter? where letter.isASCIILetter:
        readTag()
        skipText(ofTagAt: start + 1)
      default: break
      }
    }
  }

  /// Moves past a comment, a DOCTYPE or something else that begins with `<!`, from the `!` on.
  private mutating func skipDeclaration() {
    guard starts(with: "!--", at: position) else { return skip(past: UInt8(ascii: ">")) }
    position += 3
    if starts(with: ">", at: position) || starts(with: "->", at: position) {
      return skip(past: UInt8(ascii: ">"))
    }
    while let dash = index(of: UInt8(ascii: "-"), from: position) {
      position = dash + 1
      if starts(with: "->", at: position) || starts(with: "-!>", at: position) {
        return skip(past: UInt8(ascii: ">"))
      }
    }
    position = length
  }

  /// Moves past the text of an element whose text has no tags.
  ///
  /// - Parameter tag: The index of the name of its start tag.
  private mutating func skipText(ofTagAt tag: Int) {
    let names: [StaticString] = [
      "script", "style", "textarea", "title", "iframe", "noembed", "noframes", "xmp",
    ]
    guard let name = names.first(where: { isName($0, at: tag) }) else { return }
    let start = position
    let isOmitted = !keepsStyles && isName("style", at: tag)
    while let end = index(of: UInt8(ascii: "<"), from: position) {
      position = end + 1
      guard byte(at: position) == UInt8(ascii: "/"), isName(name, at: position + 1) else { continue }
      position = end
      if isOmitted { omit(start..<end) }
      return
    }
    position = length
    if isOmitted { omit(start..<position) }
  }
}

/// Tags.
extension CondensedPage {
  /// Moves past a tag, beginning at its name.
  private mutating func readTag() {
    position = index(from: position) { $0.endsName }
    while let byte = byte(at: position) {
      switch byte {
      case UInt8(ascii: ">"):
        position += 1
        return
      case _ where byte.isASCIISpace || byte == UInt8(ascii: "/"): position += 1
      default: readAttribute()
      }
    }
  }

  private mutating func readAttribute() {
    let start = position
    // An equals sign at the beginning is part of the name.
    position = index(from: position + 1) { $0.endsName || $0 == UInt8(ascii: "=") }
    position = index(from: position) { !$0.isASCIISpace }
    guard byte(at: position) == UInt8(ascii: "=") else { return }
    position = index(from: position + 1) { !$0.isASCIISpace }
    let value: Range<Int>
    if let quote = byte(at: position), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let end = index(of: quote, from: position + 1) ?? length
      value = (position + 1)..<end
      position = min(end + 1, length)
    } else {
      let end = index(from: position) { $0.isASCIISpace || $0 == UInt8(ascii: ">") }
      value = position..<end
      position = end
    }
    shorten(value, ofAttributeAt: start)
  }

  private mutating func shorten(_ value: Range<Int>, ofAttributeAt name: Int) {
    guard value.count > Self.shortValue else { return }
    if isName("style", at: name) {
      if !keepsStyles { omit(value) }
      return
    }
    if isName("d", at: name) || isName("points", at: name) { return omit(value) }
    let start = index(from: value.lowerBound) { !$0.isASCIISpace }
    guard starts(with: "data:", at: start), start + Self.shortValue < value.upperBound else { return }
    omit((start + Self.shortValue)..<value.upperBound)
  }
}

/// Searching.
extension CondensedPage {
  private func byte(at index: Int) -> UInt8? { index < length ? unsafe page[index] : nil }

  /// Whether this lowercase text is at an index, ignoring case.
  private func starts(with text: StaticString, at index: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index <= length - count else { return false }
    for offset in 0..<count {
      let byte = unsafe page[index + offset]
      guard unsafe (byte.isASCIILetter ? byte | 0x20 : byte) == text.utf8Start[offset] else { return false }
    }
    return true
  }

  /// Whether this complete lowercase name is at an index, ignoring case.
  private func isName(_ name: StaticString, at index: Int) -> Bool {
    guard starts(with: name, at: index) else { return false }
    let end = byte(at: index + name.utf8CodeUnitCount)
    return end.map { $0.endsName || $0 == UInt8(ascii: "=") } ?? true
  }

  private func index(of byte: UInt8, from start: Int) -> Int? {
    let found = index(from: start) { $0 == byte }
    return found < length ? found : nil
  }

  /// The index of the first byte that matches, or the end.
  private func index(from start: Int, where matches: (UInt8) -> Bool) -> Int {
    var index = min(start, length)
    while index < length, unsafe !matches(page[index]) { index += 1 }
    return index
  }

  private mutating func skip(past byte: UInt8) {
    position = index(of: byte, from: position).map { $0 + 1 } ?? length
  }
}

extension UInt8 {
  /// Whether the name of a tag or an attribute ends before it.
  fileprivate var endsName: Bool { isASCIISpace || self == UInt8(ascii: "/") || self == UInt8(ascii: ">") }
}
