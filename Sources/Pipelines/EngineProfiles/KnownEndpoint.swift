/// The URL of a system's network check that no profile models, mostly because the rules of the check are not public.
///
/// A walled garden that lets one of these pass hides the login from its system, as it does for the URLs of profiles.
/// What the system concludes from other responses, and which of its versions probe the URL, is not known.
public struct KnownEndpoint: Hashable, Sendable {
  /// The response of the true server.
  public enum Response: Hashable, Sendable {
    /// Status 204, without a body.
    case noContent
    /// Status 200 and a body that is this text, apart from white space around it.
    case text(String)
    /// Status 200 and a page that contains this text.
    case page(String)
  }

  /// The URL.
  public let url: String
  /// The systems that probe it, as their users know them.
  public let system: String
  /// The response of the true server.
  public let response: Response
  /// Where the URL and the response are from.
  public let source: FieldSource

  private init(_ url: String, of system: String, responding response: Response, _ source: FieldSource) {
    self.url = url
    self.system = system
    self.response = response
    self.source = source
  }
}

extension KnownEndpoint {
  /// All known endpoints without a profile, in the order of the systems' names.
  public static let all = [
    KnownEndpoint(
      "http://connectivitycheck.gstatic.cn/generate_204", of: "Android with a SIM card of China",
      responding: .noContent,
      FieldSource("res/values-mcc460/config.xml of Android's NetworkStack module", on: "2026-11-30")),
    KnownEndpoint(
      "http://fireoscaptiveportal.com/generate_204", of: "Fire OS", responding: .noContent,
      FieldSource(
        "the list of connectivity checks in an app for Android, which names it for Fire OS", on: "2026-11-30")
    ),
    KnownEndpoint(
      "http://connectivitycheck.grapheneos.network/generate_204", of: "GrapheneOS", responding: .noContent,
      FieldSource("res/values/config.xml of GrapheneOS' NetworkStack module", on: "2026-11-30")),
    KnownEndpoint(
      "http://connectivitycheck.platform.hicloud.com/generate_204", of: "Huawei phones",
      responding: .noContent,
      listed),
    KnownEndpoint(
      "http://networkcheck.kde.org/", of: "KDE, as users configure NetworkManager", responding: .text("OK"),
      listed),
    KnownEndpoint(
      "http://spectrum.s3.amazonaws.com/kindle-wifi/wifistub.html", of: "Kindle and Echo",
      responding: .page("81ce4465-7167-4dcb-835b-dcc9e44c112a"),
      FieldSource("InternetConnectionMonitor of Amazon's AVS Device SDK", on: "2026-11-30")),
    KnownEndpoint(
      "http://edge-http.microsoft.com/captiveportal/generate_204", of: "Microsoft Edge",
      responding: .noContent,
      listed),
    KnownEndpoint(
      "http://conn1.oppomobile.com/generate_204", of: "Oppo phones", responding: .noContent,
      listed),
    KnownEndpoint(
      "http://static.redhat.com/test/rhel-networkmanager.txt", of: "Red Hat Enterprise Linux",
      responding: .text("OK"),
      FieldSource("contrib/fedora/rpm/20-connectivity-redhat.conf of NetworkManager", on: "2026-11-30")),
    KnownEndpoint(
      "http://connectivity.samsung.com.cn/generate_204", of: "Samsung phones in China",
      responding: .noContent,
      listed),
    KnownEndpoint(
      "http://test.steampowered.com/204", of: "Steam and Steam Deck", responding: .noContent,
      FieldSource(
        "the log of the Steam client's connectivity test, and a script of SteamOS", on: "2026-11-30")),
    KnownEndpoint(
      "http://wifi.vivo.com.cn/generate_204", of: "Vivo phones", responding: .noContent,
      listed),
    KnownEndpoint(
      "http://connect.rom.miui.com/generate_204", of: "Xiaomi phones in China", responding: .noContent,
      listed),
  ]

  /// The source of hosts on a list that is kept up to date.
  private static let listed = FieldSource(
    "data/connectivity-check of v2fly/domain-list-community for the host, programs that request it for the rest",
    on: "2026-11-30")
}
