/// Makes scripts of whole statements.
///
/// Each byte is a choice, so mutations of the bytes change values and not the grammar. Counts, lengths and numbers at the
/// edges of their types have most weight.
struct ScriptGenerator {
  private var choices: ArraySlice<UInt8>
  private var script = ""

  /// The script for these choices.
  static func script(_ choices: ArraySlice<UInt8>) -> [UInt8] {
    var generator = ScriptGenerator(choices: choices)
    while !generator.choices.isEmpty, generator.script.utf8.count < 8192 { generator.statement(0) }
    return Array(generator.script.utf8)
  }

  private init(choices: ArraySlice<UInt8>) {
    self.choices = choices
  }
}

extension ScriptGenerator {
  private static let deepest = 5
  private static let names = ["a", "b", "c", "o"]
  private static let numbers = [
    "0", "1", "-1", "2", "3", "1e9", "-1e9", "1e400", "-1e400", ".5", "NaN", "0x7fffffffffffffff",
    "4294967296", "2147483648", "9223372036854775807", "-9223372036854775808", "9223372036854775806",
    "1024", "65536", "-0",
  ]
  private static let texts = [
    "''", "'a'", "'abc'", "'a,b,c'", "'/login?'", "'length'", "'%41%zz'", "'\\ud83d\\ude00'", "`t`",
    "'0'", "'-1'",
  ]
  private static let counts = [
    "a.length", "o.length", "'ab'.length", "[1,2].length", "'abc'.indexOf('b')", "'a'.indexOf('z')",
    "a.indexOf('z')", "[1].indexOf(2)", "'abc'.lastIndexOf('c')", "'a'.search('z')", "-'ab'.length",
    "~[].length", "a.push(1)",
  ]
  private static let methods = [
    "slice", "splice", "substr", "substring", "repeat", "padStart", "padEnd", "charAt", "charCodeAt",
    "codePointAt", "at", "join", "split", "concat", "indexOf", "lastIndexOf", "fill", "flat", "toString",
    "toFixed", "replace", "with", "push", "pop", "shift", "unshift", "reverse", "map", "filter",
    "forEach", "reduce", "keys", "copyWithin", "sort",
  ]
  private static let functions = [
    "parseInt", "parseFloat", "Number", "String", "Array", "Array.from", "String.fromCharCode",
    "Math.floor", "Math.max", "Object.keys", "Object.entries", "unescape", "atob", "encodeURIComponent",
    "new Array", "Array.of",
  ]
  private static let operators = [
    "+", "-", "*", "/", "%", "<<", ">>", ">>>", "&", "|", "^", "**", "&&", "||", "??", "<", "===", ",",
  ]

  private mutating func choice(_ count: Int) -> Int {
    Int(choices.popFirst() ?? 0) % count
  }

  private mutating func oneOf(_ words: [String]) {
    script += words[choice(words.count)]
  }

  private mutating func list(_ depth: Int, upTo maximum: Int, _ item: (inout ScriptGenerator) -> Void) {
    for number in 0..<choice(maximum + 1) {
      if number > 0 { script += "," }
      item(&self)
    }
  }

  private mutating func expression(_ depth: Int) {
    guard depth < Self.deepest else { return oneOf(Self.numbers) }
    switch choice(16) {
    case 0: oneOf(Self.numbers)
    case 1, 2, 13: oneOf(Self.counts)
    case 3: oneOf(Self.texts)
    case 4: oneOf(Self.names)
    case 5:
      expression(depth + 1)
      oneOf(Self.operators)
      expression(depth + 1)
    case 6:
      oneOf(["-", "~", "!", "+", "typeof "])
      parenthesized(depth)
    case 7, 8:
      parenthesized(depth)
      script += "."
      oneOf(Self.methods)
      arguments(depth)
    case 9:
      script += "["
      list(depth, upTo: 3) { generator in
        if generator.choice(4) == 0 { generator.script += "..." }
        generator.expression(depth + 1)
      }
      script += "]"
    case 10, 14: object(depth)
    case 11:
      oneOf(Self.functions)
      arguments(depth)
    case 12:
      parenthesized(depth)
      script += "["
      expression(depth + 1)
      script += "]"
    default:
      parenthesized(depth)
      script += ".length"
    }
  }

  private mutating func parenthesized(_ depth: Int) {
    script += "("
    expression(depth + 1)
    script += ")"
  }

  private mutating func arguments(_ depth: Int) {
    script += "("
    list(depth, upTo: 3) { $0.expression(depth + 1) }
    script += ")"
  }

  private mutating func object(_ depth: Int) {
    script += "{"
    list(depth, upTo: 3) { generator in
      generator.oneOf(["length", "length", "length", "a", "0", "1", "'x y'"])
      generator.script += ":"
      generator.expression(depth + 1)
    }
    script += "}"
  }

  private mutating func statement(_ depth: Int) {
    switch choice(14) {
    case 0, 1: assignment(depth)
    case 2, 11:
      script += "for(var "
      oneOf(Self.names)
      oneOf([" in ", " of "])
      parenthesized(depth)
      block(")", depth)
    case 3:
      script += "for(var i="
      expression(depth + 1)
      oneOf([";i<", ";i>=", ";i!="])
      expression(depth + 1)
      oneOf([";i++", ";i--", ";i+=2"])
      block(")", depth)
    case 4:
      script += "if("
      expression(depth + 1)
      block(")", depth)
    case 5, 12:
      oneOf(["var [a,b=1]=", "var [a,...b]=", "var {length:a}=", "var {length:a,...o}=", "var {a,b}="])
      expression(depth + 1)
      script += ";"
    case 6, 13:
      script += "function f("
      oneOf(["a", "...a", "[a,b]", "{length:a}"])
      block(")", depth)
      script += "f("
      oneOf(["", "..."])
      expression(depth + 1)
      script += ");"
    case 7:
      oneOf(["location.href=", "location='/l?'+", "document.write", "location.replace"])
      parenthesized(depth)
      script += ";"
    case 8:
      oneOf(Self.names)
      script += ".length"
      oneOf(["=", "+=", "-=", "<<="])
      expression(depth + 1)
      script += ";"
    default:
      expression(depth + 1)
      script += ";"
    }
  }

  private mutating func assignment(_ depth: Int) {
    script += "var "
    oneOf(Self.names)
    script += "="
    expression(depth + 1)
    script += ";"
  }

  private mutating func block(_ start: String, _ depth: Int) {
    script += start + "{"
    if depth < Self.deepest { statement(depth + 1) }
    script += "}"
  }
}
