/// A Unicode category or script that Go 1.25 supports.
struct GoProperty {
  /// Its name for PCRE2; nil for a set that has none.
  let name: String?
  /// Its characters, in the bracket syntax of PCRE2.
  let members: String
  /// Whether PCRE2's set is only similar.
  let isApproximate: Bool

  /// Finds a property; nil if there is none.
  ///
  /// Case, spaces, hyphens and underscores in a name are ignored (UTS #18, RL1.2).
  ///
  /// - Parameters:
  ///   - name: The name, such as `L`, `Letter` or `Greek`.
  ///   - ignoresCase: Whether case is ignored, which adds the other cases of all letters.
  init?(name: String, ignoresCase: Bool) {
    let word = name.lowercased().filter { !" -_".contains($0) }
    if word == "ascii" {
      self.init(nil, members: "\\x00-\\x7f")
    } else if word == "assigned" {
      self.init(nil, members: "\\P{Cn}")
    } else if word == "any" {
      self.init("Any")
    } else if let category = Self.categories[word] {
      self.init(category: category, ignoresCase: ignoresCase)
    } else {
      // Four-letter names are mostly script codes, which Go does not support.
      guard word.utf8.count != 4 || Self.shortScripts.contains(word), !word.hasPrefix("qaa"),
        word.utf8.allSatisfy({ (0x61...0x7A).contains($0) }),
        (try? Pattern("\\p{sc:\(word)}")) != nil
      else { return nil }
      let added = ignoresCase ? Self.otherCases[word] : nil
      self.init(added == nil ? "sc:" + word : nil, members: "\\p{sc:\(word)}" + (added ?? ""))
    }
  }

  private init(category: String, ignoresCase: Bool) {
    let added = ignoresCase ? Self.otherCases[category.lowercased()] : nil
    if ignoresCase, ["Lu", "Ll", "Lt"].contains(category) {
      self.init("L&", isApproximate: true)
    } else {
      self.init(added == nil ? category : nil, members: "\\p{\(category)}" + (added ?? ""))
    }
  }

  private init(_ name: String?, members: String? = nil, isApproximate: Bool = false) {
    (self.name, self.isApproximate) = (name, isApproximate)
    self.members = members ?? "\\p{\(name ?? "")}"
  }

  /// The characters whose other case is in a set (Go's `unicode.FoldCategory` and `FoldScript`).
  private static let otherCases = [
    "l": "\\x{345}", "m": "\\x{399}\\x{3b9}\\x{1fbe}", "mn": "\\x{399}\\x{3b9}\\x{1fbe}",
    "common": "\\x{39c}\\x{3bc}", "greek": "\\x{b5}\\x{345}", "inherited": "\\x{399}\\x{3b9}\\x{1fbe}",
  ]

  /// The scripts whose names have four letters.
  private static let shortScripts: Set<String> = [
    "ahom", "cham", "kawi", "lisu", "miao", "modi", "newa", "thai", "toto",
  ]

  /// The categories by their names and by their aliases (UCD, PropertyValueAliases.txt).
  private static let categories: [String: String] = {
    let names = [
      "C": "other", "Cc": "control cntrl", "Cf": "format", "Cn": "unassigned", "Co": "privateuse",
      "Cs": "surrogate", "L": "letter", "L&": "lc casedletter", "Ll": "lowercaseletter",
      "Lm": "modifierletter", "Lo": "otherletter", "Lt": "titlecaseletter", "Lu": "uppercaseletter",
      "M": "mark combiningmark", "Mc": "spacingmark", "Me": "enclosingmark", "Mn": "nonspacingmark",
      "N": "number", "Nd": "decimalnumber digit", "Nl": "letternumber", "No": "othernumber",
      "P": "punctuation punct", "Pc": "connectorpunctuation", "Pd": "dashpunctuation",
      "Pe": "closepunctuation", "Pf": "finalpunctuation", "Pi": "initialpunctuation",
      "Po": "otherpunctuation", "Ps": "openpunctuation", "S": "symbol", "Sc": "currencysymbol",
      "Sk": "modifiersymbol", "Sm": "mathsymbol", "So": "othersymbol", "Z": "separator",
      "Zl": "lineseparator", "Zp": "paragraphseparator", "Zs": "spaceseparator",
    ]
    var all: [String: String] = [:]
    for (category, aliases) in names {
      for alias in [category.lowercased()] + aliases.split(separator: " ").map(String.init) {
        all[alias] = category
      }
    }
    all["l&"] = nil
    return all
  }()
}
