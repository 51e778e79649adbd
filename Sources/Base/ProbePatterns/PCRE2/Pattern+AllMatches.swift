internal import CProbePCRE2
import ProbeBase

extension Pattern {
  /// A match during a search for all matches; the ranges of its groups are available until the search continues.
  package struct FoundMatch {
    /// The range of the whole match.
    package private(set) var range: Range<Int>
    private let groups: [NamedGroup]
    private let memory: SearchMemory
    /// The distance between the positions in the memory and those in the subject.
    private var distance: Int

    fileprivate init?(_ memory: SearchMemory, _ groups: [NamedGroup], movedBy distance: Int) {
      guard let range = memory.range(ofGroup: 0) else { return nil }
      (self.range, self.groups, self.memory, self.distance) = (
        range.moved(by: distance), groups, memory, distance
      )
    }

    /// The range of a named group, or nil if it did not match.
    package subscript(name: String) -> Range<Int>? {
      guard let group = groups.first(where: { $0.name == name }) else { return nil }
      return memory.range(ofGroup: group.number)?.moved(by: distance)
    }

    /// The same match in a longer subject that contains this one at a distance from its start.
    package func moved(by distance: Int) -> FoundMatch {
      var moved = self
      moved.range = range.moved(by: distance)
      moved.distance += distance
      return moved
    }
  }

  /// Finds all matches in a subject, from left to right, without overlaps, in time proportional to its length.
  ///
  /// Unlike a new search of the rest, a lookbehind sees what precedes a match. The work from one position is
  /// limited, and that of all positions is not: the pattern should have ``PatternOptions/allMatches``, and must
  /// be one for which the text that it examines from one position is not examined from many others.
  ///
  /// - Parameters:
  ///   - subject: The bytes to search; invalid UTF-8 matches nothing.
  ///   - body: Receives each match.
  /// - Returns: Whether the whole subject was searched; false if a search exceeded its limit of work or
  ///   memory.
  package func forEachMatch(in subject: [UInt8], _ body: (FoundMatch) -> Void) -> Bool {
    guard let memory = unsafe spare.take() ?? SearchMemory(for: code) else { return false }
    defer {
      // The meter of a search counts everything; the interpreter stores its backtracking data in the memory.
      unsafe pcre2_set_match_limit_8(memory.context, .max)
      if isTranslated { spare.leave(memory) }
    }
    memory.begin(WorkBudget(bytes: subject.count), of: self, isTranslated: isTranslated)
    unsafe pcre2_set_match_limit_8(memory.context, UInt32(clamping: 500_000 + 4 * subject.count))
    if !isTranslated { unsafe pcre2_set_heap_limit_8(memory.context, 64 * 1024) }
    // No limit: PCRE2_UNSET, which Swift imports as -1.
    unsafe pcre2_set_offset_limit_8(memory.context, -1)
    let parts = unsafe codeOfValidText == nil ? [0..<subject.count] : subject.validUTF8
    return unsafe subject.withUnsafeBufferPointer { buffer in
      parts.allSatisfy { unsafe forEachMatch(in: $0, of: buffer, memory, body) }
    }
  }

  /// Finds all matches in a part of a subject, outside of which the pattern sees nothing.
  private func forEachMatch(
    in part: Range<Int>, of subject: UnsafeBufferPointer<UInt8>, _ memory: SearchMemory,
    _ body: (FoundMatch) -> Void
  ) -> Bool {
    let isValid = unsafe codeOfValidText != nil
    var options = isTranslated ? 0 : PCRE2_NO_JIT
    if isValid { options |= PCRE2_NO_UTF_CHECK }
    if part.lowerBound > 0 { options |= PCRE2_NOTBOL }
    if part.upperBound < subject.count { options |= PCRE2_NOTEOL }
    var start = 0
    while start <= part.count {
      let result = unsafe pcre2_match_8(
        codeOfValidText ?? code, subject.baseAddress.map { unsafe $0 + part.lowerBound }, part.count, start,
        options, memory.data,
        memory.context)
      if result == PCRE2_ERROR_NOMATCH { return true }
      guard result >= 0, let match = FoundMatch(memory, groups, movedBy: part.lowerBound) else {
        return false
      }
      body(match)
      start = max(match.range.upperBound - part.lowerBound, start + 1)
      while isValid, start < part.count, unsafe subject[part.lowerBound + start] & 0xC0 == 0x80 { start += 1 }
    }
    return true
  }
}

extension SearchMemory {
  /// The range of a group of the last match, or nil if the group did not match; group 0 is the match.
  fileprivate func range(ofGroup number: Int) -> Range<Int>? {
    guard number < Int(clamping: unsafe pcre2_get_ovector_count_8(data)),
      let offsets = unsafe pcre2_get_ovector_pointer_8(data)
    else { return nil }
    let (start, end) = unsafe (offsets[2 * number], offsets[2 * number + 1])
    return start >= 0 && end >= 0 ? min(start, end)..<max(start, end) : nil
  }
}

extension [UInt8] {
  /// The parts that are valid UTF-8, from left to right; none is adjacent to the next one.
  fileprivate var validUTF8: [Range<Int>] {
    var decoder = Unicode.UTF8.ForwardParser()
    var bytes = makeIterator()
    var parts: [Range<Int>] = []
    var (start, index) = (0, 0)
    while true {
      switch decoder.parseScalar(from: &bytes) {
      case .valid(let scalar): index += scalar.count
      case .error(let length):
        if start < index { parts.append(start..<index) }
        index += length
        start = index
      case .emptyInput: return start < index || parts.isEmpty ? parts + [start..<index] : parts
      }
    }
  }
}
