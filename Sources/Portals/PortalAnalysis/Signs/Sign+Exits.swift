import ProbeCore

extension Sign {
  /// The signs of the references of a response, for each manner.
  static let ofExits: [Sign] =
    [
      of(.redirect, "it redirects to $", "its redirect"), of(.refresh, "a refresh goes to $", "its refresh"),
      of(.script, "a script goes to $", "the URL of a script"),
      of(.press, "a script goes to $ after a click", "the URL of a script"),
      of(.form, "a form submits to $", "the URL of a form"), of(.frame, "a frame loads $", "a frame"),
      of(.link, "a link goes to $", "a link"),
    ].flatMap(\.self) + [
      Sign("exit.dead", "it redirects to nothing that a portal has") { Sighting(if: $0.deadRedirect != nil) },
      Sign("exit.computed", "a script goes to a URL that it computes") { Sighting(if: $0.hasUnknownTarget) },
      Sign("exit.submits", "a script submits a form") { Sighting(if: $0.submitsForm) },
      // A page that waits for a login reloads soon; a page about an outage waits longer.
      Sign("exit.reloads", "the page reloads every $ s") { facts in
        facts.reloadsAfter.flatMap { Sighting(if: $0 <= 5, "\($0)") }
      },
      Sign("exit.logoutForm", "a form logs out") { facts in
        Sighting(if: facts.forms.contains { $0.actions.contains(where: \.endsSession) })
      },
      Sign("exit.logoutLink", "a link logs out (%)") { facts in
        facts.logoutLink.map { Sighting($0) }
      },
      Sign("exit.loginLink", "a link is named as a login (%)") { facts in
        facts.exits[.link].first(where: \.isNamedLogin).map { Sighting($0.url.string) }
      },
    ]

  private static func of(_ manner: Exit.Manner, _ sentence: String, _ noun: String) -> [Sign] {
    func sign(
      _ name: String, _ clause: String, _ kind: ResponseKind? = nil,
      detail: @escaping @Sendable (Exit) -> String = { $0.url.originForDisplay },
      if isThere: @escaping @Sendable (Exit) -> Bool
    ) -> Sign {
      Sign("exit.\(manner.rawValue).\(name)", clause, kind) { facts in
        facts.exits[manner].first(where: isThere).map { Sighting(detail($0)) }
      }
    }
    return [
      sign("elsewhere", sentence) { $0.isOffHost },
      sign("here", "\(noun) leads to the requested host") { !$0.isOffHost },
      sign("portalWord", "\(noun) has %, a portal's word", detail: { $0.facts.portal ?? "" }) {
        $0.facts.portal != nil
      },
      sign(
        "blockWord", "\(noun) has %, a word of block pages", .blockPage, detail: { $0.facts.blockPage ?? "" }
      ) {
        $0.facts.blockPage != nil
      },
      sign("local", "\(noun) leads to $, in the local network") { $0.facts.isLocal },
      sign("client", "\(noun) has an address of this client") { $0.facts.hasClient },
      sign("original", "\(noun) has the requested URL") { $0.facts.hasOriginal },
      sign("administration", "\(noun) has a path of a device's administration", .deviceAdmin) {
        $0.facts.isAdministration
      },
      sign("session", "\(noun) has a path of a session that exists") { $0.facts.isOfSession },
      sign("account", "\(noun) has a word of a login, and nothing of this client") {
        $0.facts.isAccountLogin && !$0.facts.hasClient && !$0.facts.hasOriginal
      },
      sign("bare", "\(noun) is only the name of another host") {
        $0.isOffHost && $0.facts.isRoot && !$0.facts.isLocal && $0.facts.portal == nil && !$0.facts.hasPort
      },
    ]
  }
}
