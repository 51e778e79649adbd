internal import ProbeCore

/// What is noted while one value is decoded.
final class DecodingSession {
  let userInfo: [CodingUserInfoKey: any Sendable]
  let survey: KeySurvey
  let forms: DescribedTypes
  /// Whether anything was asked for that is known to be unusable.
  var metUnusable = false
  /// Whether anything unusable was taken for absent, so that other parts may seem wrong that are not.
  var leftOut = false

  init(_ userInfo: [CodingUserInfoKey: any Sendable], _ survey: KeySurvey, _ forms: DescribedTypes) {
    self.userInfo = userInfo
    self.survey = survey
    self.forms = forms
  }
}

/// Which keys of which mapping were asked for.
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
      if let type = type as? any (CaseIterable & CodingKey).Type {
        names = Self.names(of: type)
      } else {
        names = []
      }
    }

    func ask(_ key: String) {
      if wasAsked.insert(key).inserted { asked.append(key) }
    }

    /// Whether a key was asked for.
    func asked(for key: String) -> Bool { wasAsked.contains(key) }

    private static func names<Key: CaseIterable & CodingKey>(of type: Key.Type) -> [String] {
      type.allCases.map(\.stringValue)
    }
  }

  /// A mapping that was opened.
  struct Mapping {
    var entries: [SourceEntry]
    var field: String
    var path: [String]
    /// The type that opened it, as far as it is known.
    var type: any Any.Type
    var containers: [Container]
  }

  private(set) var mappings: [[String]: Mapping] = [:]

  /// Notes a container that was opened for a mapping.
  func open<Key: CodingKey>(
    _ decoder: SourceDecoder, _ entries: [SourceEntry], _ type: Key.Type
  ) -> Container {
    let container = Container(type)
    let new = Mapping(
      entries: entries, field: decoder.field, path: decoder.path, type: decoder.type, containers: [])
    mappings[decoder.path, default: new].containers.append(container)
    return container
  }
}

extension KeySurvey.Mapping {
  /// The keys that no container knows; of containers that take any key only when the decoding ended well.
  func unknown(hasDecoded: Bool) -> [SourceEntry] {
    entries.filter { entry in
      containers.allSatisfy { container in
        if container.asked(for: entry.key) { return false }
        if container.takesAnything { return hasDecoded && !container.readsAll }
        return !container.isKey(entry.key)
      }
    }
  }

  /// The keys that are known: those of the type, and those that were asked for.
  func known(_ forms: DescribedTypes) -> [String] {
    var names: [String] = []
    let described = forms.form(of: type).keys.map(\.name)
    var seen: Set<String> = []
    for name in described + containers.flatMap({ $0.names + $0.asked }) where seen.insert(name).inserted {
      names.append(name)
    }
    return names
  }
}
