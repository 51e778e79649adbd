import EngineProfiles
import ProbeCore
import SourceDocuments

/// A URL of our own profile, and how it is judged there.
struct BuiltInTarget: Sendable {
  /// The URL.
  let url: String
  /// The value of its `validate`, as it stands in the profile.
  let validate: String

  /// All of them, in the order of the profile.
  static let all: [BuiltInTarget] = {
    guard let profile = EngineProfile.named(BuiltInPipeline.ownName) else { return [] }
    let bytes = Array(profile.text.utf8)
    let findings = SourceFindings(SourceFile(path: "\(profile.name).yaml", bytes: bytes))
    guard let root = SourceDocument.read(findings) else { return [] }
    return (root.entry("sets")?.value.items ?? []).flatMap { set in
      (set.entry("urls")?.value.items ?? []).compactMap { target in
        guard case .scalar(let url)? = target.entry("url")?.value.content,
          let judge = target.entry("validate")?.value
        else { return nil }
        return BuiltInTarget(url: url.text, validate: String(decoding: bytes[judge.span], as: UTF8.self))
      }
    }
  }()
}

extension SourceNode {
  /// The values of a list; none when it is none.
  fileprivate var items: [SourceNode] {
    if case .sequence(let items) = content { items } else { [] }
  }
}
