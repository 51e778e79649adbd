/// Which keys of which mapping were asked for while a value is decoded.
final class KeySurvey {
  /// What one container asked for.
  final class Container {
    /// Whether a name is a key of the container's type.
    let isKey: (String) -> Bool
    /// Whether every name is.
    let takesAnything: Bool
    /// The keys that are known without being asked for.
    let names: [String]
    /// The keys that were asked for, in their order.
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
      // Who reads all keys knows them; thousands need not be noted one by one.
      if !readsAll, wasAsked.insert(key).inserted { asked.append(key) }
    }

    /// Whether a key is known; of keys that can be anything it is known only when the decoding ended well.
    func knows(_ key: String, hasDecoded: Bool) -> Bool {
      if wasAsked.contains(key) { return true }
      return takesAnything ? !hasDecoded || readsAll : isKey(key)
    }
  }

  /// A mapping that was opened.
  struct Mapping {
    let entries: [SourceEntry]
    let field: String
    let path: [String]
    fileprivate(set) var containers: [Container] = []

    /// The keys that no container knows.
    func unknown(hasDecoded: Bool) -> [SourceEntry] {
      entries.filter { entry in containers.allSatisfy { !$0.knows(entry.key, hasDecoded: hasDecoded) } }
    }

    /// The keys that are known.
    var known: [String] {
      var seen: Set<String> = []
      return containers.flatMap { $0.names + $0.asked }.filter { seen.insert($0).inserted }
    }
  }

  private var byPath: [[String]: Mapping] = [:]

  /// The mappings that were opened.
  var mappings: some Collection<Mapping> { byPath.values }

  /// Notes a container that was opened for a mapping.
  func open<Key: CodingKey>(_ decoder: SourceDecoder, _ entries: [SourceEntry], _ type: Key.Type) -> Container
  {
    let container = Container(type)
    let path = decoder.codingPath.map(\.stringValue)
    byPath[path, default: Mapping(entries: entries, field: decoder.field, path: path)]
      .containers.append(container)
    return container
  }
}
