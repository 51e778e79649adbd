/// Records which keys of which mappings a type requests while it is decoded.
final class KeySurvey {
  /// The keys requested from one container.
  final class Container {
    /// Whether a name is a key of the container's type.
    let isKey: (String) -> Bool
    /// Whether every name is a key.
    let takesAnything: Bool
    /// The keys that are known without being requested.
    let names: [String]
    /// The requested keys, in order.
    private(set) var asked: [String] = []
    private var wasAsked: Set<String> = []
    var readsAll = false

    init<Key: CodingKey>(_ type: Key.Type) {
      isKey = { Key(stringValue: $0) != nil }
      takesAnything = isKey("\u{1}")
      func names(of type: (some CaseIterable & CodingKey).Type) -> [String] {
        type.allCases.map(\.stringValue)
      }
      self.names = (type as? any (CaseIterable & CodingKey).Type).map { names(of: $0) } ?? []
    }

    func ask(_ key: String) {
      // A type that reads all keys knows them; they need not be recorded one by one.
      if !readsAll, wasAsked.insert(key).inserted { asked.append(key) }
    }

    /// Whether a key is known; if any name is a key, an unrequested one is unknown only after decoding
    /// succeeded.
    func knows(_ key: String, hasDecoded: Bool) -> Bool {
      if wasAsked.contains(key) { return true }
      return takesAnything ? !hasDecoded || readsAll : isKey(key)
    }
  }

  /// A mapping for which a container was opened.
  struct Mapping {
    let entries: [SourceEntry]
    let field: String
    let path: [String]
    fileprivate(set) var containers: [Container] = []

    /// The keys that are known to no container.
    func unknown(hasDecoded: Bool) -> [SourceEntry] {
      entries.filter { entry in containers.allSatisfy { !$0.knows(entry.key, hasDecoded: hasDecoded) } }
    }

    /// The known keys.
    var known: [String] {
      var seen: Set<String> = []
      return containers.flatMap { $0.names + $0.asked }.filter { seen.insert($0).inserted }
    }
  }

  private var byPath: [[String]: Mapping] = [:]

  /// The mappings for which containers were opened.
  var mappings: some Collection<Mapping> { byPath.values }

  /// Records a container for a mapping.
  func open<Key: CodingKey>(_ decoder: SourceDecoder, _ entries: [SourceEntry], _ type: Key.Type) -> Container
  {
    let container = Container(type)
    let path = decoder.codingPath.map(\.stringValue)
    byPath[path, default: Mapping(entries: entries, field: decoder.field, path: path)]
      .containers.append(container)
    return container
  }
}
