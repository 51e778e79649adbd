/// An option of the command line that gives the value of a ``RequestKey``.
///
/// The value is decoded and checked as in a pipeline file, with the same messages.
public struct RequestOption: Sendable, Changeable {
  /// What a shell can complete after the option.
  public enum Completion: Hashable, Sendable {
    /// Nothing.
    case text
    /// The path of a file.
    case file
    /// One of several words.
    case words([String])
  }

  /// The name with its dashes.
  public var name: String
  /// The one-letter name with its dash, or nil.
  public var short: String?
  /// A further name with its dashes, such as that of curl, or nil.
  public var alias: String?
  /// The placeholder of its value in the help, such as `DURATION`; nil for an option without a value.
  public var value: String?
  /// What a shell can complete.
  public var completion = Completion.text
  /// What it sets, in one line without a final full stop; nil for the summary of its key.
  public var help: String?
  /// Whether it can be repeated; the values are then combined.
  public var repeats = false
  /// The commands that have it, such as `check`.
  public var commands: Set<String>
  /// The option without which it has no effect, or nil.
  public var requirement: String?
  /// The options with which it cannot be combined.
  public var exclusions: [String] = []
  /// Whether another option of the same key takes precedence, in any order.
  public var isFallback = false
  /// Converts its text to the value that a file would have; the text of an option without a value is empty.
  package var written: (@Sendable (String) throws(InvalidInput) -> WrittenValue)?

  /// The commands that take URLs on the command line or from standard input.
  package static let ofURLs: Set = ["check", "scan"]
  /// The commands that run pipelines.
  package static let ofRuns: Set = ofURLs.union(["run", "monitor", "capture"])

  /// Creates an option.
  ///
  /// - Parameters:
  ///   - name: The name with its dashes.
  ///   - short: The one-letter name with its dash, or nil.
  ///   - value: The placeholder of its value in the help; nil for an option without a value.
  ///   - commands: The commands that have it, of `check`, `scan`, `run`, `monitor`, `capture`, `verify`, `portal` and
  ///     `login`; by default `check` and `scan`.
  ///   - help: What it sets; nil for the summary of its key.
  ///   - written: Converts its text to the value that a file would have; nil for the text itself or, if the value is a
  ///     secret, for its source, given as `env:NAME` or `file:PATH`.
  public init(
    _ name: String, short: String? = nil, value: String? = nil, in commands: Set<String> = ["check", "scan"],
    help: String? = nil,
    written: (@Sendable (String) throws(InvalidInput) -> WrittenValue)? = nil
  ) {
    (self.name, self.short, self.value, self.help) = (name, short, value, help)
    (self.commands, self.written) = (commands, written)
  }
}

/// A value as a file has it: a text, a list or a mapping.
public enum WrittenValue: Hashable, Sendable {
  /// An entry of a mapping.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public var key: String
    /// Its value.
    public var value: WrittenValue

    /// Creates an entry.
    public init(_ key: String, _ value: WrittenValue) { (self.key, self.value) = (key, value) }
  }

  /// A text, a number, a duration or another scalar.
  case text(String)
  /// A list.
  case list([WrittenValue])
  /// A mapping, in order.
  case mapping([Entry])

  /// A mapping with one key.
  package static func mapping(_ key: String, _ value: WrittenValue) -> WrittenValue {
    .mapping([Entry(key, value)])
  }

  /// Both values: lists are joined, mappings have the keys of both, and of two texts the later one remains.
  package func merged(with later: WrittenValue) -> WrittenValue {
    switch (self, later) {
    case (.list(let items), .list(let others)): return .list(items + others)
    case (.mapping(var entries), .mapping(let others)):
      for other in others {
        if let index = entries.firstIndex(where: { $0.key == other.key }) {
          entries[index].value = entries[index].value.merged(with: other.value)
        } else {
          entries.append(other)
        }
      }
      return .mapping(entries)
    default: return later
    }
  }
}
