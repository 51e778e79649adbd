public import ProbeCore

/// Everything that is wrong with a recording, each mistake with its place in words.
public struct InvalidImport: InvalidInputs, Hashable {
  /// How many mistakes are told; what follows is mostly the same once more.
  static let limit = 20

  /// What is wrong; never empty.
  public let mistakes: [InvalidInput]

  init(_ mistakes: [InvalidInput]) {
    let more = mistakes.count - Self.limit
    self.mistakes =
      mistakes.prefix(Self.limit) + (more > 0 ? [InvalidInput("there are \(more) mistakes more")] : [])
  }

  init(_ mistake: InvalidInput) {
    self.init([mistake])
  }
}

extension InvalidImport: CustomStringConvertible {
  /// The mistakes, a line each.
  public var description: String {
    mistakes.map(\.descriptionWithPlace).joined(separator: "\n")
  }
}

extension InvalidInput {
  /// The same with the place in front of its message.
  func placed(_ place: String) -> InvalidInput {
    var mistake = self
    mistake.message = "\(place): \(message)"
    return mistake
  }

  /// The same in one line, without what it quotes.
  ///
  /// It may be private, and nobody knows of it as nothing is learnt from what cannot be used.
  var withoutQuotations: String {
    guard let start = description.firstIndex(of: "\""), let end = description.lastIndex(of: "\""), start < end
    else { return description }
    return description[...start] + "…" + description[end...]
  }
}
