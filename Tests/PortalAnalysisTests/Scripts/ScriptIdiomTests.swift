import ProbeCore
import Testing

@testable import PortalAnalysis

/// Scripts as pages have them, each with the URL that node.js 20 opens with it: closures, `this`, arrays, objects, loops,
/// destructuring, classes, `URL` and `URLSearchParams`, and texts.
@Suite struct ScriptIdiomTests {
  private static let page = "http://probe.example/x?url=%2Fw%3Fq&b=2"

  @Test(arguments: rows(of: known))
  func theURLIsThatOfABrowser(_ script: String, _ url: String) throws {
    #expect(try Self.urls(of: script) == [Self.absolute(url)])
  }

  /// What is not followed leads to an unknown URL, or to none, and never to another one.
  @Test(arguments: rows(of: unknown))
  func noOtherURLIsBelieved(_ script: String, _ url: String) throws {
    let expected = try Self.absolute(url)
    #expect(try Self.urls(of: script).allSatisfy { $0 == expected })
  }

  @Test func thereAreManyOfBoth() {
    #expect(Self.rows(of: Self.known).count > 100)
    #expect(Self.rows(of: Self.unknown).count > 50)
  }

  private static func absolute(_ url: String) throws -> String? { try ProbeURL(page).resolve(url)?.string }

  /// The URLs that a script opens by itself, as far as they are completely known.
  private static func urls(of script: String) throws -> [String?] {
    try findings(script, page: page).redirects.filter { $0.isWhole && $0.isImmediate }.map {
      try absolute($0.reference)
    }
  }

  /// The scripts of a table, each with the URL in the line below it.
  private static func rows(of table: String) -> [(String, String)] {
    let lines = table.split(separator: "\n").map(String.init)
    return stride(from: 0, to: lines.count - 1, by: 2).map { (lines[$0], String(lines[$0 + 1].dropFirst(2))) }
  }

  private static let known = #"""
    var u = '/a'; var f = function () { location = u }; u = '/b'; setTimeout(f, 1)
    → /b
    function go(u) { setTimeout(function () { location = u }, 1); u = '/b' } go('/a')
    → /b
    function mk(u) { return function () { location = u } } var f = mk('/a'); f()
    → /a
    function mk(u) { return () => u } location = mk('/a')()
    → /a
    var u = '/x'; function go(u) { in2(); function in2() { location = u } } go('/a')
    → /a
    function go(u) { function set(v) { u = v } set('/b'); location = u } go('/a')
    → /b
    var a = ['/a', '/b']; a.reverse(); location = a[0]
    → /b
    var a = ['/a', '/b']; location = a.pop()
    → /b
    var a = ['/a']; a[0] = '/b'; location = a[0]
    → /b
    var a = []; a[0] = '/a'; a[1] = 'b'; location = a.join('/')
    → /a/b
    var o = { a: 1 }; o.b = 2; location = '/p?' + Object.keys(o).join('&')
    → /p?a&b
    var o = { b: 1, a: 2 }; location = '/p?' + Object.keys(o).join('&')
    → /p?b&a
    var o = { a: 1, a: 2 }; location = '/p?' + Object.keys(o).join('&') + o.a
    → /p?a2
    var o = { a: '1', b: '2' }, s = ''; for (var k in o) { if (s) s += '&'; s += k + '=' + o[k] } location = '/p?' + s
    → /p?a=1&b=2
    var o = { a: '1', b: '' }, s = ''; for (var k in o) { if (!o[k]) continue; s += k + '=' + o[k] + '&' } location = '/p?' + s
    → /p?a=1&
    var o = { a: '1', b: '2' }, s = ''; for (var k in o) { s += k; break } location = '/p?' + s
    → /p?a
    var s = ''; for (var i = 0; i < 3; i++) s += i; location = '/p?' + s
    → /p?012
    var s = ''; for (const c of ['a', 'b']) s += c; location = '/p?' + s
    → /p?ab
    var s = ''; for (const [k, v] of Object.entries({ a: 1, b: 2 })) { s += k + '=' + v + '&' } location = '/p?' + s.slice(0, -1)
    → /p?a=1&b=2
    var s = ''; ['a', 'b'].forEach(function (x, i) { s += x + i }); location = '/p?' + s
    → /p?a0b1
    var s = ''; ['a', 'b'].forEach(function (x) { if (x == 'a') return; s += x }); location = '/p?' + s
    → /p?b
    location = '/p?' + ['a', 'b'].map(x => x + '=1').join('&')
    → /p?a=1&b=1
    location = '/p?' + [['a', 1], ['b', 2]].map(p => p.join('=')).join('&')
    → /p?a=1&b=2
    var p = new URLSearchParams('a=1&b=2'); p.set('a', '3'); location = '/p?' + p
    → /p?a=3&b=2
    var p = new URLSearchParams('a=1&a=2&b=2'); p.set('a', '3'); location = '/p?' + p
    → /p?a=3&b=2
    var p = new URLSearchParams({ u: 'http://b/?x=1&y=2', s: 'ä ü*~!' }); location = '/p?' + p
    → /p?u=http%3A%2F%2Fb%2F%3Fx%3D1%26y%3D2&s=%C3%A4+%C3%BC*%7E%21
    var p = new URLSearchParams(location.search); p.append('x', 'y'); location = '/p?' + p.toString()
    → /p?url=%2Fw%3Fq&b=2&x=y
    location = new URLSearchParams(location.search).get('url')
    → /w?q
    location = new URLSearchParams(location.search).get('nope') || '/d'
    → /d
    location = new URLSearchParams('?u=%2Fa%2Bb+c').get('u')
    → /a+b c
    var u = new URL('http://a'); u.searchParams.set('a', '1'); location = u.toString()
    → http://a/?a=1
    var u = new URL('../q', 'http://a/b/c/d'); location = u
    → http://a/b/q
    var u = new URL('/p', location.href); u.searchParams.append('m', 'x y'); location.href = u
    → http://probe.example/p?m=x+y
    var u = new URL('HTTP://A/p'); location = u.href
    → http://a/p
    var u = new URL('http://a:80/p'); location = u.href
    → http://a/p
    var u = new URL('http://a/p?x=ä b'); location = u.href
    → http://a/p?x=%C3%A4%20b
    var u = new URL('http://a/p?x'); location = u.href
    → http://a/p?x
    var u = new URL('http://a/p?x'); u.searchParams.append('y', 1); location = u.href
    → http://a/p?x=&y=1
    var [a, b = '/b'] = ['/a']; location = b
    → /b
    var { u: { v } } = { u: { v: '/a' } }; location = v
    → /a
    var [x, ...r] = ['/a', 'b', 'c']; location = x + r.join('')
    → /abc
    function f(a, b = a + 'b') { location = b } f('/a')
    → /ab
    function f({ u }) { location = u } f({ u: '/a' })
    → /a
    function f({ u, v = 'x' } = {}) { location = u + v } f({ u: '/a' })
    → /ax
    function f(a, ...r) { location = a + r.join('') } f('/a', 'b', 'c')
    → /abc
    function f(u) { u = u || '/d'; location = u } f()
    → /d
    function f(u) { if (u === undefined) u = '/d'; location = u } f()
    → /d
    function f(u) { if (!u) { location = '/d' } else { location = u } } f()
    → /d
    var o = { u: '/a', go() { location = this.u } }; o.go()
    → /a
    var o = { u: '/a', go: () => { location = '/b' } }; o.go()
    → /b
    var o = { u: '/a', go: function () { setTimeout(() => { location = this.u }, 1) } }; o.go()
    → /a
    var o = { u: '/a', go: function () { var me = this; setTimeout(function () { location = me.u }, 1) } }; o.go()
    → /a
    function f() { location = this.u } f.apply({ u: '/a' }, [])
    → /a
    function f(x) { location = x } f.apply(null, ['/a'])
    → /a
    class P { constructor(u) { this.u = u } go() { location = this.u } } new P('/a').go()
    → /a
    class P { go() { location = '/a' } } var p = new P(); p.go()
    → /a
    location = 'xx/a'.slice(-2)
    → /a
    location = '/aXX'.slice(0, -2)
    → /a
    location = '/abc'.substr(-3, 2)
    → ab
    location = '/a-b-c'.replace(/-/g, '/')
    → /a/b/c
    location = '/a-b-c'.replace(/-/, '/')
    → /a/b-c
    location = '/a/b'.split('/')[1]
    → a
    location = '/a/b'.split('/').pop()
    → b
    location = '/' + 'a b'.split(' ').join('%20')
    → /a%20b
    location = JSON.parse('{"u":"/a","v":[1,2]}').u
    → /a
    location = '/p?' + JSON.parse('["a","b"]').join('&')
    → /p?a&b
    var c = JSON.parse('{"u":{"v":"\\/a"}}'); location = c.u.v
    → /a
    location = JSON.parse('{"u":null}').u || '/d'
    → /d
    location = String.fromCharCode(47, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106)
    → /abcdefghij
    location.host = 'b'
    → http://b/x?url=%2Fw%3Fq&b=2
    location.hostname = 'b'
    → http://b/x?url=%2Fw%3Fq&b=2
    location.search = '?a=1'
    → http://probe.example/x?a=1
    location.search = 'a=1'
    → http://probe.example/x?a=1
    setTimeout(function (a, b) { location = a + b }, 1, '/a', 'b')
    → /ab
    setTimeout((a) => location = a, 1, '/a')
    → /a
    var t = { a: ['/x', '/y'] }; location = t.a[1]
    → /y
    var m = { en: '/en', de: '/de' }; location = m['de']
    → /de
    var m = { en: '/en', de: '/de' }, l = 'fr'; location = m[l] || m.en
    → /en
    var a = ['/a', '/b']; var i = 1; location = a[i]
    → /b
    var a = ['/a', '/b']; location = a[a.length - 1]
    → /b
    var a = ['/a', '/b'], b = a; b[0] = '/c'; location = a[0]
    → /c
    var o = { u: '/a' }; function f(x) { x.u = '/b' } f(o); location = o.u
    → /b
    var a = ['/a']; function f(x) { x.push('b') } f(a); location = a.join('/')
    → /a/b
    var a = ['/a']; (function () { a = ['/b'] })(); location = a[0]
    → /b
    var q = []; function add(k, v) { q.push(k + '=' + encodeURIComponent(v)) } add('a', 'x y'); add('b', '2'); location = '/p?' + q.join('&')
    → /p?a=x%20y&b=2
    var q = {}; location.search.substr(1).split('&').forEach(function (p) { var kv = p.split('='); q[kv[0]] = decodeURIComponent(kv[1]) }); location = q.url
    → /w?q
    var q = {}; var ps = location.search.substring(1).split('&'); for (var i = 0; i < ps.length; i++) { var kv = ps[i].split('='); q[kv[0]] = kv[1] } location = '/z?' + q.b
    → /z?2
    function get(n) { var ps = location.search.substring(1).split('&'); for (var i = 0; i < ps.length; i++) { var kv = ps[i].split('='); if (kv[0] == n) return decodeURIComponent(kv[1]) } return '/none' } location = get('url')
    → /w?q
    function get(n) { var r = null; location.search.substr(1).split('&').forEach(function (x) { var t = x.split('='); if (t[0] === n) r = decodeURIComponent(t[1]) }); return r } location = get('url')
    → /w?q
    var x = { a: { b: ['/a'] } }; var { a: { b: [y] } } = x; location = y
    → /a
    var s = '/a'; for (var i = 0; i < 3; i++) { for (var j = 0; j < 2; j++) { s += j } } location = s
    → /a010101
    var a = 'x'; var b = { a }; location = '/' + b.a
    → /x
    var b = { 'k-1': '/a' }; location = b['k-1']
    → /a
    var b = {}; b['u' + 1] = '/a'; location = b.u1
    → /a
    var s = ''; for (var k in { a: 1, b: 2 }) { if (k == 'b') break; s += k } location = '/' + s
    → /a
    var s = ''; for (var k in { a: 1, b: 2 }) { if (k == 'a') continue; s += k } location = '/' + s
    → /b
    function f() { for (var i = 0; i < 3; i++) { if (i == 1) return '/' + i } return '/y' } location = f()
    → /1
    function f() { for (const x of ['a', 'b']) { for (const y of ['c', 'd']) { if (y == 'd') return '/' + x + y } } } location = f()
    → /ad
    var s = ''; for (const x of ['a', 'b']) { for (const y of ['c', 'd']) { if (y == 'd') break; s += x + y } } location = '/' + s
    → /acbc
    var s = ''; for (const x of ['a', 'b']) { (function () { return })(); s += x } location = '/' + s
    → /ab
    var s = ''; for (const x of ['a', 'b']) { s += x; if (s.length > 0) { location = '/' + s; break } }
    → /a
    var k = '/o'; (function () { for (var k in { a: 1 }) { } })(); location = k
    → /o
    var o = { a: '1' }; function g(x) { return x.b } location = '/p?' + (g(o) || 'none')
    → /p?none
    var a = ['x']; location = a.length ? '/a' : '/b'
    → /a
    var a = []; location = a.length ? '/a' : '/b'
    → /b
    var a = []; location = a ? '/a' : '/b'
    → /a
    function f(cb) { cb('/a') } f(function (u) { location = u })
    → /a
    function f(o) { o.done('/a') } f({ done: function (u) { location = u } })
    → /a
    var self2 = { u: '/a', init: function () { this.go() }, go: function () { location = this.u } }; self2.init()
    → /a
    var app = {}; app.u = '/a'; app.go = function () { location = app.u }; app.go()
    → /a
    var app = (function () { var u = '/a'; return { go: function () { location = u } } })(); app.go()
    → /a
    var app = (function () { var u = '/a'; function set(v) { u = v } return { set: set, go: function () { location = u } } })(); app.set('/b'); app.go()
    → /b
    (function () { var u = '/a'; function inner() { location = u } setTimeout(inner, 1) })()
    → /a
    (function () { var u = '/a'; function inner() { location = u } inner() })()
    → /a
    (function () { var n = 0; function tick() { n++; if (n > 2) { location = '/a' } else { setTimeout(tick, 1) } } tick() })()
    → /a
    function f(n) { if (n == 0) { location = '/a' } else { f(n - 1) } } f(2)
    → /a
    var u = '/a'; (function () { u = '/b' })(); location = u
    → /b
    var u = '/a'; (function () { var u = '/b' })(); location = u
    → /a
    var u = '/a'; { let u = '/b' } location = u
    → /a
    var u = '/a'; if (true) { let u = '/b'; var w = u } location = u + w
    → /a/b
    const [a, b] = '/x?y'.split('?'); location = a + '/' + b
    → /x/y
    let h = location.href.split('?')[0]; location = h + '?z=1'
    → http://probe.example/x?z=1
    var d = {}; d['a'] = '1'; d['b'] = '2'; var qs = Object.keys(d).map(k => encodeURIComponent(k) + '=' + encodeURIComponent(d[k])).join('&'); location = '/p?' + qs
    → /p?a=1&b=2
    var e = Object.entries({ a: 'x y' }).map(([k, v]) => k + '=' + encodeURIComponent(v)); location = '/p?' + e.join('&')
    → /p?a=x%20y
    location = `/p?${['a', 'b'].map(x => `${x}=1`).join('&')}`
    → /p?a=1&b=1
    var t = '/p?a={a}&b={b}'; var v = { a: '1', b: '2' }; for (var k in v) { t = t.replace('{' + k + '}', v[k]) } location = t
    → /p?a=1&b=2
    location = '/a+b'.replace(/\+/g, ' ')
    → /a b
    class P { constructor(u) { this.u = u } go() { setTimeout(() => { location = this.u }, 1) } } const p = new P('/a'); p.go()
    → /a
    class P { constructor() { this.q = [] } add(k, v) { this.q.push(k + '=' + v); return this } go() { location = '/p?' + this.q.join('&') } } new P().add('a', 1).add('b', 2).go()
    → /p?a=1&b=2
    var P = class { go() { location = '/a' } }; new P().go()
    → /a
    eval(function(p,a,c,k,e,d){e=function(c){return c};if(!''.replace(/^/,String)){while(c--){d[c]=k[c]||c}k=[function(e){return d[e]}];e=function(){return'\\w+'};c=1};while(c--){if(k[c]){p=p.replace(new RegExp('\\b'+e(c)+'\\b','g'),k[c])}}return p}('0.1="2://3/4"',5,5,'window|location|http|a|p'.split('|'),0,{}))
    → http://a/p
    eval(function(p,a,c,k,e,r){e=function(c){return c.toString(a)};if(!''.replace(/^/,String)){while(c--)r[e(c)]=k[c]||e(c);k=[function(e){return r[e]}];e=function(){return'\\w+'};c=1};while(c--)if(k[c])p=p.replace(new RegExp('\\b'+e(c)+'\\b','g'),k[c]);return p}('b.c="/a?d="+1',14,14,'|||||||||||window|location|x'.split('|'),0,{}))
    → /a?x=1
    var o = { '10': 'x', '9': 'y' }; location = '/p?' + o['9']
    → /p?y
    var s = ''; for (const x of ['a', 'b']) { if (x == 'a') { continue } else if (x == 'z') { break } s += x } location = '/p?' + s
    → /p?b
    for (var i = 0; i < 3; i++); location = '/a'
    → /a
    function each(o, f) { for (var k in o) f(k) } var s = ''; each({ a: 1 }, function (k) { s += k }); location = '/p?' + s
    → /p?a
    """#

  private static let unknown = #"""
    function go(u) { setTimeout(function () { location = u }, 1) } go('/a'); go('/b')
    → /b
    function mk(u) { return function () { return u } } var f = mk('/a'), g = mk('/b'); location = f()
    → /a
    var a = ['/b', '/a']; a.sort(); location = a[0]
    → /a
    var a = ['/a']; a.unshift('/b'); location = a[0]
    → /b
    var a = ['/a', '/b']; a.splice(0, 1); location = a[0]
    → /b
    var a = ['/a', '/b']; a.shift(); location = a[0]
    → /b
    var a = []; a.push('/a'); if (Date.now() > 0) a.push('b'); location = a.join('/')
    → /a/b
    var a = ['/a', 'b']; a.length = 1; location = a.join('/')
    → /a
    var o = { a: 1, b: 2 }; delete o.a; location = '/p?' + Object.keys(o).join('&')
    → /p?b
    var o = { 2: 'x', 1: 'y' }; location = '/p?' + Object.keys(o).join('&')
    → /p?1&2
    var o = { a: 1 }; if (Date.now() > 0) o.b = 2; location = '/p?' + Object.keys(o).join('&')
    → /p?a&b
    var o = { a: 1, ['b']: 2 }; location = '/p?' + Object.keys(o).join('&')
    → /p?a&b
    var o = { a: 1, ...{ b: 2 } }; location = '/p?' + Object.keys(o).join('&')
    → /p?a&b
    var o = Object.assign({ a: 1 }, { b: 2 }); location = '/p?' + Object.keys(o).join('&')
    → /p?a&b
    var o = { a: 1 }; Object.assign(o, { a: 3, b: 2 }); location = '/p?a=' + o.a
    → /p?a=3
    var o = { a: '1', b: '2' }, s = ''; for (var k in o) { if (o.hasOwnProperty(k)) s += k + '=' + o[k] + '&' } location = '/p?' + s
    → /p?a=1&b=2&
    var s = ''; for (var i = 0; i < 10; i += 2) { s += i } location = '/p?' + s
    → /p?02468
    var s = ''; for (var i = 3; i > 0; i--) { s += i } location = '/p?' + s
    → /p?321
    var s = ''; for (var i = 0; i < 5; i++) { s += i; i++ } location = '/p?' + s
    → /p?024
    var s = ''; for (let i = 0; i <= 2; i++) { s += i } location = '/p?' + s
    → /p?012
    var s = '', i = 0; while (i < 3) { s += i; i++ } location = '/p?' + s
    → /p?012
    location = '/p?' + ['a', 'b'].map(encodeURIComponent).join('&')
    → /p?a&b
    location = '/p?' + ['a', 'b'].filter(x => x != 'a').join('&')
    → /p?b
    location = '/p?' + ['a', , 'b'].join('&')
    → /p?a&&b
    location = '/p?' + ['a', null, undefined, 'b'].join('&')
    → /p?a&&&b
    location = '/p?' + [1, 2, 3]
    → /p?1,2,3
    location = '/p?' + ['a', ['b', 'c']].join('&')
    → /p?a&b,c
    var p = new URLSearchParams('a=1&b=2'); p.delete('a'); location = '/p?' + p
    → /p?b=2
    var p = new URLSearchParams([['a', '1'], ['b', '2']]); location = '/p?' + p
    → /p?a=1&b=2
    var u = new URL('http://a/p?x=1#f'); u.searchParams.set('a', '1'); location = u
    → http://a/p?x=1&a=1#f
    var u = new URL('http://a/p'); u.pathname = '/q'; location = u.href
    → http://a/q
    var u = new URL('http://a/p'); u.search = '?z=1'; location = u.href
    → http://a/p?z=1
    var u = new URL('http://a/p'); u.hash = 'z'; location = u.href
    → http://a/p#z
    var u = new URL('http://a/ä b'); location = u.href
    → http://a/%C3%A4%20b
    var u = new URL('http://a/p'); location = u.origin + '/z'
    → http://a/z
    var { u = '/d' } = {}; location = u
    → /d
    var { u, ...r } = { u: '/a', w: 'x' }; location = u + r.w
    → /ax
    function f() { location = arguments[0] } f('/a')
    → /a
    var o = { u: '/a', go: function () { setTimeout(function () { location = this.u || '/w' }, 1) } }; o.go()
    → /w
    var o = { u: '/a', go: function () { location = this.u } }; var f = o.go.bind(o); f()
    → /a
    var o = { u: '/a', go: function () { location = this.u } }; setTimeout(o.go.bind(o), 1)
    → /a
    function P(u) { this.u = u } P.prototype.go = function () { location = this.u }; new P('/a').go()
    → /a
    class P { static go() { location = '/a' } } P.go()
    → /a
    class B { constructor() { this.u = '/a' } } class P extends B { go() { location = this.u } } new P().go()
    → /a
    location = '/abc'.substring(-3, 2)
    → /a
    location = '/abc'.slice(5)
    → 
    location = '/a-b'.replace(/-/g, '$&$&')
    → /a--b
    location = '/' + 'abc'.split('').reverse().join('')
    → /cba
    location = '/' + 'a,b,c'.split(',', 2).join('')
    → /ab
    location = String.fromCharCode(...[47, 97])
    → /a
    location = String.fromCharCode.apply(null, [47, 97])
    → /a
    location.port = 8080
    → http://probe.example:8080/x?url=%2Fw%3Fq&b=2
    var fs = []; for (var i = 0; i < 2; i++) { fs.push(function () { return i }) } location = '/' + fs[0]()
    → /2
    var fs = []; for (let i = 0; i < 2; i++) { fs.push(function () { return i }) } location = '/' + fs[0]()
    → /0
    var fs = []; ['a', 'b'].forEach(function (x) { fs.push(function () { return x }) }); location = '/' + fs[0]()
    → /a
    var r = ['a', 'b'].map(function (x) { return function () { return x } }); location = '/' + r[0]()
    → /a
    var n = 0; ['a', 'b', 'c'].forEach(function () { n++ }); location = '/' + n
    → /3
    var i = 1; i++; location = '/' + i
    → /2
    var a = [1, 2]; var s = 0; for (var i = 0; i < a.length; i++) { s += a[i] } location = '/' + s
    → /3
    var k = 'u', b = { [k]: '/a' }; location = b.u
    → /a
    var s = ''; for (var k in { a: 1, b: 2 }) { if (window.zz) break; s += k } location = '/p?' + s
    → /p?ab
    var s = ''; for (var k in { a: 1, b: 2 }) { if (window.zz) continue; s += k } location = '/p?' + s
    → /p?ab
    var a = []; for (var k in { a: 1, b: 2 }) { if (window.zz) continue; a.push(k) } location = '/p?' + a.join()
    → /p?a,b
    function f() { for (var k in { a: 1, b: 2 }) { if (window.zz) return '/x'; } return '/y' } location = f()
    → /y
    var s = ''; outer: for (const x of ['a', 'b']) { for (const y of ['c', 'd']) { if (y == 'd') continue outer; s += x + y } s += 'z' } location = '/' + s
    → /acbc
    var s = ''; outer: for (const x of ['a', 'b']) { for (const y of ['c', 'd']) { if (y == 'd') break outer; s += x + y } s += 'z' } location = '/' + s
    → /ac
    var s = ''; for (const x of ['a', 'b']) { switch (x) { case 'a': s += '1'; break; default: s += '2' } } location = '/' + s
    → /12
    var s = ''; for (const x of ['a', 'b']) { try { s += x } catch (e) { break } } location = '/' + s
    → /ab
    for (var i = 0; i < 2; i++) { setTimeout(function () { location = '/' + i }, 1) }
    → /2
    for (let i = 0; i < 2; i++) { setTimeout(function () { location = '/' + i }, 1) }
    → /1
    var i = 5; for (i = 0; i < 2; i++) { } location = '/' + i
    → /2
    var o = window.zz ? { u: '/a' } : { u: '/b' }; location = o.u
    → /b
    var f = window.zz ? function () { return '/a' } : function () { return '/b' }; location = f()
    → /b
    var o = {}; o.u = '/a'; if (window.zz) { o.u = '/b' } location = o.u
    → /a
    var o = { u: '/a' }; if (window.zz) { o = { u: '/b' } } location = o.u
    → /a
    var a = ['/a']; if (window.zz) { a = ['/b'] } location = a[0]
    → /a
    var a = ['/a']; if (window.zz) { a.pop() } location = a[0] || '/n'
    → /a
    var a = ['/a']; if (!window.zz) { a[0] = '/b' } location = a[0]
    → /b
    var o = { a: '1' }; location = o.toString() == '[object Object]' ? '/a' : '/b'
    → /a
    var o = { a: '1' }; location = o.hasOwnProperty('a') ? '/a' : '/b'
    → /a
    var o = { a: '1' }; location = 'a' in o ? '/a' : '/b'
    → /a
    var o = { a: '1' }; location = o.constructor ? '/a' : '/b'
    → /a
    var o = { valueOf: 1 }; location = o['toString'] ? '/a' : '/b'
    → /a
    var a = ['x']; location = a.map ? '/a' : '/b'
    → /a
    var a = []; location = a[0] ? '/a' : '/b'
    → /b
    var a = ['x', 'y']; location = a.indexOf('y') >= 0 ? '/a' : '/b'
    → /a
    var a = ['x', 'y']; location = a.indexOf('z') >= 0 ? '/a' : '/b'
    → /b
    var a = ['x', 'y']; location = a.includes('z') ? '/a' : '/b'
    → /b
    var a = '/a/b'.split('/'); a.shift(); location = '/' + a.join('-')
    → /a-b
    location = '/p?' + new URLSearchParams({ a: 1, b: true, c: null })
    → /p?a=1&b=true&c=null
    location = '/p?' + new URLSearchParams({ a: undefined })
    → /p?a=undefined
    location = '/p?' + encodeURIComponent(['a', 'b'])
    → /p?a%2Cb
    location = '/aXbX'.replace(/x/gi, '-')
    → /a-b-
    location = '/aXbX'.replace(/X/g, '$$')
    → /a$b$
    location = '/aXbX'.replace('X', '$&')
    → /aXbX
    location = '/aXbX'.replace('X', function () { return '-' })
    → /a-bX
    class P { static u = '/a'; static go() { location = P.u } } P.go()
    → /a
    class P { u = '/a'; go() { location = this.u } } new P().go()
    → /a
    class P { get u() { return '/a' } go() { location = this.u } } new P().go()
    → /a
    class P { #u = '/a'; go() { location = this.#u } } new P().go()
    → /a
    var o = { '10': 'x', '9': 'y' }; location = '/p?' + Object.keys(o).join('&')
    → /p?9&10
    var s = ''; for (const x of ['a', 'b']) { s += (function () { if (window.zz) return 'n'; return x })() } location = '/p?' + s
    → /p?ab
    var s = ''; for (var i = 0; i < 2; i++) if (i == 1) s += i; location = '/p?' + s
    → /p?1
    var A = window.zz || {}; A.x = 1; A.u = A.u || '/d'; location = A.u
    → /d
    var q = window.zz || []; q.push('a'); location = '/p?' + q.join('&')
    → /p?a
    var A; if (window.zz) { A = zz } else { A = { u: '/a' } } location = A.v ? A.v : A.u
    → /a
    window.each2 = function (o, f) { var n = Object.getOwnPropertyNames(o); for (var i = 0; i < n.length; i++) f(n[i]) }; var s = ''; each2({ a: 1 }, function (k) { s += k }); location = '/p?' + s
    → /p?a
    var s = ''; [3, 1].sort(function (a, b) { s += 'x'; return a - b }); location = '/p?' + s
    → /p?x
    var s = ''; new Map([['a', 'b']]).forEach(function (v, k) { s += k + v }); location = '/p?' + s
    → /p?ab
    var s = ''; Array.from(['a']).forEach(x => { s += x }); location = '/p?' + s
    → /p?a
    var s = '/a'; function later() { s = '/b' } new Map([['a', 1]]).forEach(later); location = s
    → /b
    """#
}
