/// The fixtures of a matrix in one folder.
struct MatrixGroup {
  /// The folder's name; empty if all fixtures are in one folder.
  var name: String
  /// The fixtures, each with its path inside the folder.
  var rows: [(path: String, row: VerdictMatrix.Row)]
}

extension VerdictMatrix {
  /// The fixtures grouped by the folders below their common folder, in order of first appearance.
  var groups: [MatrixGroup] {
    let paths = rows.map { $0.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init) }
    let depth = Self.commonDepth(paths)
    var groups: [MatrixGroup] = []
    for (path, row) in zip(paths, rows) {
      let rest = path.dropFirst(depth)
      let name = rest.count > 1 ? rest.first ?? "" : ""
      let entry = (path: rest.dropFirst(rest.count > 1 ? 1 : 0).joined(separator: "/"), row: row)
      if let index = groups.firstIndex(where: { $0.name == name }) {
        groups[index].rows.append(entry)
      } else {
        groups.append(MatrixGroup(name: name, rows: [entry]))
      }
    }
    return groups
  }

  /// The number of leading folders that all paths share; the last component of a path is not a folder.
  private static func commonDepth(_ paths: [[String]]) -> Int {
    guard var common = paths.first.map({ Array($0.dropLast()) }) else { return 0 }
    for path in paths {
      let shared = zip(common, path.dropLast()).prefix { $0 == $1 }.count
      common.removeLast(common.count - shared)
    }
    return common.count
  }
}
