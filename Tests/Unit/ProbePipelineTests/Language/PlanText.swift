/// All parts of a value as text, which is the same for values with the same behavior.
///
/// Unlike `dump`, it omits insignificant differences: addresses, and the code of closures.
enum PlanText {
  static func of(_ value: Any) -> String {
    var lines: [String] = []
    add(value, named: "plan", depth: 0, to: &lines)
    return lines.joined(separator: "\n")
  }

  private static func add(_ value: Any, named name: String, depth: Int, to lines: inout [String]) {
    let mirror = Mirror(reflecting: value)
    let type = "\(mirror.subjectType)"
    let indent = String(repeating: " ", count: depth)
    let children = mirror.children.map { ($0.label ?? "-", $0.value) }
    // The text of a pointer contains its address, and so does that of a closure; the size of machine code depends on it.
    let isOpaque = type.contains("Pointer") || type.contains("->") || type.contains("ObjectIdentifier")
    if isOpaque || name == "compiledSize" {
      lines.append("\(indent)\(name): \(type)")
    } else if children.isEmpty {
      lines.append("\(indent)\(name): \(type) \(value)")
    } else if mirror.displayStyle == .dictionary || mirror.displayStyle == .set {
      // Their order differs in each process.
      let parts = children.map { child in
        var part: [String] = []
        add(child.1, named: child.0, depth: depth + 1, to: &part)
        return part.joined(separator: "\n")
      }
      lines += ["\(indent)\(name): \(type)"] + parts.sorted()
    } else {
      lines.append("\(indent)\(name): \(type)")
      for (label, child) in children { add(child, named: label, depth: depth + 1, to: &lines) }
    }
  }
}
