import Testing

@testable import PortalAnalysis

@Suite struct PageFormTests {
  @Test func aFormHasItsFields() throws {
    let page = try page(
      """
      <form action="/in?a=1&amp;b" method=POST><input name=user id=u placeholder="Your name" aria-label=who>
      <input type=PassWord name=pw><input type=hidden name=mac><select name=room></select><textarea name=t></textarea>
      <input type=reset name=no></form>
      """)
    let form = try #require(page.forms.first)
    #expect(form.action == "/in?a=1&b")
    #expect(!form.hasButton)
    #expect(
      form.fields == [
        .init(type: "text", words: "user u Your name who"), .init(type: "password", words: "pw"),
        .init(type: "hidden", words: "mac"), .init(type: "select", words: "room"),
        .init(type: "textarea", words: "t"),
      ])
    #expect(page.loose.fields == [])
  }

  @Test(arguments: [
    "<input type=submit>", "<input type=image>", "<input type=button>", "<button>x</button>",
    "<INPUT TYPE=Submit>",
  ])
  func aButtonIsDetected(_ button: String) throws {
    #expect(try page("<form>\(button)</form>").forms.first?.hasButton == true)
    #expect(try page("<form></form><p>x</p>").forms.first?.hasButton == false)
  }

  @Test(arguments: [
    ("<button formaction='/a?b=1&amp;c'>x</button>", ["/a?b=1&c"]),
    ("<input type=submit formaction=/a><input type=IMAGE formaction=/b>", ["/a", "/b"]),
    ("<button type=button formaction=/a>x</button>", []), ("<button type=Reset formaction=/a>x</button>", []),
    ("<input type=button formaction=/a>", []), ("<input name=a formaction=/a>", []),
  ])
  func buttonsMaySubmitElsewhere(_ buttons: String, _ expected: [String]) throws {
    #expect(try page("<form action=/in>\(buttons)</form>").forms.first?.buttonActions == expected)
    let many = String(repeating: "<button formaction=/a></button>", count: 100)
    #expect(try page("<form>\(many)</form>").forms.first?.buttonActions.count == Page.Limit.few)
  }

  @Test(arguments: [
    // A field belongs to the form that it names, and to none if that does not exist.
    ("<form id=a></form><form><input name=x form=a></form>", [["x"], []], []),
    ("<form id=a></form><input name=x form=a>", [["x"]], []),
    ("<form id=a></form><form id=a></form><input name=x form=a>", [["x"], []], []),
    ("<form><input name=x form=none></form>", [[]], ["x"]),
    // A disabled group requests nothing, and ends where it ends.
    (
      "<form><fieldset disabled><input name=x><fieldset><input name=y></fieldset></fieldset><input name=z>",
      [["z"]], []
    ),
    ("<form><fieldset><input name=x></fieldset><input name=y disabled>", [["x"]], []),
    // An input after a form is not in it, and a form inside a form is ignored.
    ("<input name=a><form><input name=b></form><p></p><input name=c>", [["b"]], ["a", "c"]),
    ("<form><input name=a><form><input name=b></form><input name=c>", [["a", "b"]], ["c"]),
    ("<form><input name=a><form action=x>", [["a"]], []), ("<form><p><input name=a>", [["a"]], []),
    ("<form><input name=a></form><form><input name=b></form>", [["a"], ["b"]], []),
    // Between rows the parser closes a form at once, but the fields that follow still belong to it.
    ("<table><form><tr><td><input name=a></td></tr></form></table>", [["a"]], []),
    ("<table><tr><form><td><input name=a><td><input name=b></form></table>", [["a", "b"]], []),
    (
      "<table><form><tr><td><input name=a></form><form><tr><td><input name=b></form></table>",
      [["a"], ["b"]], []
    ),
    ("<div><input name=a></div>", [], ["a"]),
  ])
  func fieldsBelongToTheirForm(_ html: String, _ forms: [[String]], _ loose: [String]) throws {
    let page = try page(html)
    #expect(page.forms.map { $0.fields.map(\.words) } == forms)
    #expect(page.loose.fields.map(\.words) == loose)
  }

  @Test(arguments: [
    ("<input name=q>", true), ("<input type=search name=x>", true),
    ("<input name=search_text>", true), ("<input name=query><input type=hidden name=user>", true),
    ("<input name=q><input name=user>", false), ("<input type=password name=q>", false), ("", false),
    ("<input type=hidden name=q>", false), ("<input type=checkbox name=q>", false),
  ])
  func searchFormsAreRecognized(_ fields: String, _ expected: Bool) throws {
    let form = try #require(try page("<form>\(fields)<p></form>").forms.first)
    #expect(form.isSearch == expected)
  }

  @Test(arguments: [
    ("<form action=/Contact.php><input name=email>", true), ("<form><input name=newsletter_email>", true),
    ("<form action=/feedback><textarea name=x>", true), ("<form action=/login><input name=email>", false),
    ("<form><input type=password name=p><input name=comment>", false), ("<form>", false),
  ])
  func formsForOtherPurposesAreRecognized(_ html: String, _ expected: Bool) throws {
    #expect(try page(html + "<p>").forms.first?.hasNonLoginPurpose == expected)
  }

  private func page(_ html: String) throws -> Page {
    let page = Page(Array(html.utf8).span)
    return try #require(page)
  }
}
