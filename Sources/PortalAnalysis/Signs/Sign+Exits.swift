import ProbeCore

extension Sign {
  /// The signs of what a response refers to: for each manner, what the URL says.
  static let ofExits: [Sign] =
    [
      of(.redirect, "it redirects to %"), of(.refresh, "a refresh goes to %"),
      of(.script, "a script goes to %"),
      of(.press, "a script can go to %"), of(.form, "a form submits to %"), of(.frame, "a frame loads %"),
      of(.link, "a link goes to %"),
    ].flatMap(\.self) + [
      Sign("exit.dead", "it redirects to nothing that a portal has") { Sighting(if: $0.deadRedirect != nil) },
      Sign("exit.computed", "a script goes to a URL that it computes") { Sighting(if: $0.leadsToUnknown) },
      Sign("exit.submits", "a script submits a form") { Sighting(if: $0.submitsForm) },
      // A page that waits for a login reloads soon; a page about an outage waits longer.
      Sign("exit.reloads", "the page reloads every % s") { facts in
        facts.reloadsAfter.flatMap { Sighting(if: $0 <= 5, "\($0)") }
      },
      Sign("exit.logoutForm", "a form logs out") { facts in
        Sighting(if: facts.forms.contains { $0.action?.endsSession == true })
      },
      Sign("exit.logoutLink", "a link logs out (%)") { facts in
        facts.page?.links.first { PagePath.endsSession($0.href) }.map { Sighting($0.href) }
      },
      Sign("exit.loginLink", "a link is named as a login (%)") { facts in
        facts.exits.first { $0.manner == .link && $0.isNamedLogin }.map { Sighting($0.url.string) }
      },
    ]

  private static func of(_ manner: Exit.Manner, _ sentence: String) -> [Sign] {
    func sign(
      _ name: String, _ more: String, _ kind: AnswerKind? = nil,
      if isThere: @escaping @Sendable (Exit) -> Bool
    ) -> Sign {
      Sign("exit.\(manner.rawValue).\(name)", sentence + more, kind) { facts in
        facts.exits.first { $0.manner == manner && isThere($0) }.map { Sighting($0.url.placeForDisplay) }
      }
    }
    return [
      sign("elsewhere", ", another host") { $0.isOffHost },
      sign("here", ", on the same host") { !$0.isOffHost },
      sign("portalWord", ", a URL with a portal's words") { $0.facts.portal != nil },
      sign("blockWord", ", a URL with the words of a block page", .blockPage) { $0.facts.wall != nil },
      sign("local", ", in the local network") { $0.facts.isLocal },
      sign("client", ", with an address of this client") { $0.facts.hasClient },
      sign("original", ", with the requested URL") { $0.facts.hasOriginal },
      sign("administration", ", a path of a device's administration", .deviceAdmin) {
        $0.facts.isAdministration
      },
      sign("session", ", a path of a session that exists") { $0.facts.isOfSession },
      sign("account", ", a login's path without anything of this client") {
        $0.facts.isLoginPath && !$0.facts.hasClient && !$0.facts.hasOriginal
      },
      sign("bare", ", another host and nothing more") {
        $0.isOffHost && $0.facts.isRoot && !$0.facts.isLocal && $0.facts.portal == nil && !$0.facts.hasPort
      },
    ]
  }
}
