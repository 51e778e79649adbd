/// The words of the first command in a shell line, up to a pipe, a redirection or the next command.
struct ShellWords {
  private(set) var words: [String] = []
  private var word: String?

  init(_ line: some StringProtocol) {
    var quote: Character?
    var characters = line.makeIterator()
    reading: while let character = characters.next() {
      switch (character, quote) {
      case (quote, .some): quote = nil
      case ("\\", .some("\"")), ("\\", nil): add(characters.next().map(String.init) ?? "")
      case (_, .some): add(String(character))
      case ("'", nil), ("\"", nil):
        quote = character
        add("")
      case (" ", nil): endWord()
      case ("|", nil), (";", nil), ("&", nil), (">", nil), ("<", nil), (")", nil): break reading
      case ("#", nil) where word == nil: break reading
      default: add(String(character))
      }
    }
    endWord()
  }

  private mutating func add(_ text: String) {
    word = (word ?? "") + text
  }

  private mutating func endWord() {
    if let word { words.append(word) }
    word = nil
  }
}
