internal import ProbeCore

/// What a value is, as far as types tell values apart.
enum Shape: CaseIterable, Hashable {
  case text, integer, number, boolean, list, mapping

  /// Whether a form has values of this shape.
  func isOf(_ form: ValueForm) -> Bool {
    form.unnamed.alternatives.contains { form in
      switch form.unnamed.kind {
      case .anything, .reference, .named, .anyOf: true
      case .text, .choice: self == .text
      case .integer: self == .integer
      case .number: self == .number
      case .boolean: self == .boolean
      case .list: self == .list
      case .mapping: self == .mapping
      }
    }
  }
}

/// One attempt to decode a type: what it is given.
struct Trial: Hashable {
  /// What the value itself is.
  var shape: Shape
  /// What its parts are not.
  var refused: Shape?
  /// Which parts that may be left out are there.
  var presence = Presence.all

  /// Which parts that may be left out are there: keys, and items of lists.
  enum Presence: Hashable {
    case all, none
    case only(String)

    func contains(_ key: String) -> Bool {
      switch self {
      case .all: true
      case .none: false
      case .only(let name): name == key
      }
    }
  }

  /// Those that are made of every type.
  static let all: [Trial] =
    Shape.allCases.map { Trial(shape: $0) }
    + [Trial(shape: .list, presence: .none), Trial(shape: .mapping, presence: .none)]
    + Shape.allCases.flatMap { [Trial(shape: .list, refused: $0), Trial(shape: .mapping, refused: $0)] }
}

/// What a type asked for, in all trials.
final class FormNotes {
  /// A key of a mapping.
  private struct Key {
    var name: String
    var notes = FormNotes()
    /// The trials in which it was decoded without the question whether it is there.
    var needed: Set<Trial> = []
  }

  /// The name of a key that stands for those that are not known.
  static let anyKey = "\u{1}"

  /// The trials that gave a value.
  var succeeded: Set<Trial> = []
  private var scalars: [ValueForm] = []
  private var items: FormNotes?
  private var keys: [Key]?
  private var readsAllKeys = false
  /// The trials in which it was read as a mapping.
  private var opened: Set<Trial> = []

  /// Whether lists or mappings were asked for.
  var hasParts: Bool { items != nil || keys != nil }

  /// More trials, of a type of which not all is known: its keys one by one.
  var more: [Trial] {
    let isRefused = opened.isDisjoint(with: succeeded)
    let unknown = (keys ?? []).filter { isRefused || $0.notes.form == .anything }
    return unknown.prefix(32).map { Trial(shape: .mapping, presence: .only($0.name)) }
  }

  /// Notes that a value of a form was asked for.
  func add(_ form: ValueForm) {
    if !scalars.contains(form) { scalars.append(form) }
  }

  /// Notes that a list was asked for; returns the notes of its items.
  func openList() -> FormNotes {
    let notes = items ?? FormNotes()
    items = notes
    return notes
  }

  /// Notes that a mapping was asked for.
  func openMapping(_ trial: Trial) {
    keys = keys ?? []
    opened.insert(trial)
  }

  /// Notes that all keys of a mapping were asked for.
  func readAllKeys() { readsAllKeys = true }

  /// Notes that a key was asked for, and whether it must be there; returns the notes of its value.
  func key(_ name: String, neededIn trial: Trial? = nil) -> FormNotes {
    var all = keys ?? []
    let index = all.firstIndex { $0.name == name } ?? all.count
    if index == all.count { all.append(Key(name: name)) }
    if let trial { all[index].needed.insert(trial) }
    keys = all
    return all[index].notes
  }

  /// What the value may look like.
  var form: ValueForm { form(succeeded) }

  private func form(_ succeeded: Set<Trial>) -> ValueForm {
    var forms = scalars
    if let items { forms.append(.list(of: items.form(succeeded))) }
    if let keys { forms.append(mapping(keys, succeeded)) }
    return forms.isEmpty ? .anything : .anyOf(forms)
  }

  private func mapping(_ keys: [Key], _ succeeded: Set<Trial>) -> ValueForm {
    // Where no trial went well, the first says what is needed as far as it came.
    let good = opened.intersection(succeeded)
    let trials = good.isEmpty ? opened.intersection([Trial(shape: .mapping)]) : good
    let forms = keys.filter { $0.name != Self.anyKey }.map { key in
      KeyForm(
        key.name, key.notes.form(succeeded), isRequired: !trials.isEmpty && trials.isSubset(of: key.needed))
    }
    let others = keys.first { $0.name == Self.anyKey }?.notes.form(succeeded)
    // What comes behind the place where a type refused every trial is not known.
    let isOpen = readsAllKeys || good.isEmpty
    return .mapping(forms, others: others ?? (isOpen ? .anything : nil))
  }
}
