internal import ProbeCore

extension SourceNode {
  /// The part at a path of keys and numbers of items, or the nearest around it that is there, with its path.
  func part(at path: [String]) -> (node: SourceNode, path: [String]) {
    var node = self
    for (depth, name) in path.enumerated() {
      guard let next = node.child(name) else { return (node, Array(path[..<depth])) }
      node = next
    }
    return (node, path)
  }

  /// What the part at a path is called in messages, where the whole is called `field`.
  func field(at path: [String], _ field: String) -> String {
    var (node, field) = (self, field)
    for name in path {
      guard let next = node.child(name) else { break }
      if let entry = node.entry(name) { field = entry.fieldName }
      node = next
    }
    return field
  }

  /// Puts `unusable` in place of the part at a path; a key that is not there is added.
  mutating func setUnusable(_ path: ArraySlice<String>) {
    let unusable = SourceNode(.unusable, span: span)
    guard let name = path.first else {
      content = .unusable
      return
    }
    switch content {
    case .mapping(var entries):
      // Held by one alone, the list is not copied.
      content = .unusable
      if let index = entries.firstIndex(where: { $0.key == name }) {
        entries[index].value.setUnusable(path.dropFirst())
      } else {
        entries.append(SourceEntry(key: name, keySpan: span, value: unusable))
      }
      content = .mapping(entries)
    case .sequence(var nodes):
      guard let index = Int(name), nodes.indices.contains(index) else { return }
      content = .unusable
      nodes[index].setUnusable(path.dropFirst())
      content = .sequence(nodes)
    case .scalar, .unusable: break
    }
  }

  /// How many values it is made of.
  var weight: Int {
    switch content {
    case .scalar, .unusable: 1
    case .sequence(let nodes): nodes.reduce(1) { $0 + $1.weight }
    case .mapping(let entries): entries.reduce(1) { $0 + $1.value.weight }
    }
  }

  private func child(_ name: String) -> SourceNode? {
    switch content {
    case .mapping: entry(name)?.value
    case .sequence(let nodes): Int(name).flatMap { nodes.indices.contains($0) ? nodes[$0] : nil }
    case .scalar, .unusable: nil
    }
  }
}
