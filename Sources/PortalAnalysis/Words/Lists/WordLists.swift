/// The words of ``Vocabulary``, a list for each family of languages.
///
/// A line begins with the language (BCP 47) and the ``WordTopic``; lines without a colon go on with the topic before.
/// Words stand between commas, in plain spelling: case, diacritics and punctuation do not count. A word is a stem
/// unless a full stop ends it. The topic `none` is for words that look like others and mean nothing here. Where two
/// topics have the same word the first one counts.
///
/// What stands here is what any such page would say: phrases where a word alone has more than one meaning ("access
/// denied", not "access"), and nothing that only one vendor says.
enum WordLists {
  /// Every list; English first, which all others borrow from.
  static let all = [
    english, outages, germanic, romance, westSlavic, southSlavic, eastSlavic, baltic, uralic, balkan, turkic,
    caucasian, semitic, iranian, indic, mainlandAsian, islandAsian, eastAsian,
  ]
}
