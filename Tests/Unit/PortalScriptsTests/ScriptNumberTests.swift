import ProbeCore
import Testing

/// The numbers of scripts: lengths of objects that are no arrays, and the greatest and least ones.
///
/// The references are those that Node.js opens, unless they are empty: then a script fails there, or its values are
/// not known here.
@Suite struct ScriptNumberTests {
  @Test(arguments: [
    // The length of an object is a member like any other.
    ("for (k in {length: 'a'.indexOf('b')}) location = '/' + k", ["/length"]),
    ("for (k in {length: 'ab'.indexOf('b')}) location = '/' + k", ["/length"]),
    ("for (k in {length: 'a'.indexOf('b') - 9007199254740990}) location = '/' + k", ["/length"]),
    ("var o = {length: 'ab'.indexOf('b')}; o[1] = '/a'; location = o[1]", ["/a"]),
    ("var o = {length: 'a'.length, u: '/a'}; o.length = 'a'.indexOf('b'); location = o.u", ["/a"]),
    ("var {length} = {length: 'a'.indexOf('b')}; location = '/' + length", ["/-1"]),
    ("location = '/' + Object.keys({length: 'a'.indexOf('b')})[0]", ["/length"]),
    ("for (k of {'0': '/a', length: 'a'.length}) location = k", []),
    ("var [u] = {length: 'a'.indexOf('b')}; location = u", []),
    ("f(...{length: 'a'.indexOf('b')}); function f(u) { location = u }", []),
    ("var o = {length: 'a'.indexOf('b')}; location = o.join('/')", []),
    ("var o = {length: 'a'.indexOf('b')}; location = o.pop()", []),
    // But an object with a length can be used instead of an array here.
    ("f.apply(null, {'0': '/a', length: 'x'.length}); function f(u) { location = u }", ["/a"]),
    ("f.apply(null, {'0': '/a', length: 'x'.indexOf('y')}); function f(u) { location = u || '/b' }", ["/b"]),
    // An array, whose length is set.
    ("var a = ['/a', '/b']; a.length = 'a'.indexOf('b'); location = a[0]", []),
    ("var a = ['/a']; a[a.length] = '/b'; location = a[1]", ["/b"]),
    // The greatest and the least numbers.
    ("location = '/' + ~'a'.indexOf('b')", ["/0"]), ("location = '/' + -'a'.length", ["/-1"]),
    ("location = '/' + ~('a'.length - 9007199254740991)", ["/-3"]),
    ("var n = 'a'.indexOf('b') - 9007199254740990; location = '/' + -n", ["/9007199254740991"]),
    ("var n = 'a'.length - 9223372036854775807; location = '/n' + -n", ["/n…"]),
    ("var n = 'a'.length - -9223372036854775808; location = '/n' + n", ["/n…"]),
    ("for (i = 0 || -9223372036854775808; i < 9223372036854775807; i++) { location = '/a' }", ["/a"]),
    ("location = '/abc'.substr(-9223372036854775808, 2)", []),
    ("location = '/abc'.slice(-9007199254740991)", ["/abc"]),
  ])
  func numbersAreThoseOfScripts(_ script: String, _ references: [String]) throws {
    #expect(try findings(script).marked == references)
  }
}
