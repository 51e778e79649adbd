import ProbeCore
import Testing

@Suite struct RegistryTests {
  struct Named: ConfigurableValidator {
    static var name: String { "named" }
    init(options: Bool) {}
    func validate(_ response: ProbeResponse) -> Validation { .accepted }
  }

  static func transport(_ schemes: URLScheme...) -> RecordingTransport {
    RecordingTransport(Dictionary(uniqueKeysWithValues: schemes.map { ($0, .encrypted) })) {
      ProbeResponse(url: $0.url)
    }
  }

  @Test func transports() throws {
    var registry = TransportRegistry()
    try registry.register(Self.transport("b", "A"))
    let thrown = #expect(throws: InvalidInput.self) { try registry.register(Self.transport("c", "a")) }
    #expect(thrown?.description == "the scheme a already has a transport: register one transport per scheme")
    #expect(registry.schemes == ["a", "b"], "nothing is added by a failed registration")
    #expect(registry["a"] != nil)
    #expect(registry["c"] == nil)
    #expect(registry.encryption(of: "b") == .encrypted)
    #expect(registry.encryption(of: "c") == nil)
  }

  @Test func validators() throws {
    var registry = PluginRegistry()
    try registry.register(Named.self)
    #expect(registry.validators.names == ["named"])
    #expect(registry.validators["named"] is Named.Type)
    #expect(registry.validators["other"] == nil)
    let thrown = #expect(throws: InvalidInput.self) { try registry.register(Named.self) }
    #expect(thrown?.description == "the validator name named is taken: give one of the two another name")
  }

  @Test func names() {
    func error(_ type: any ConfigurableValidator.Type) -> String? {
      var registry = PluginRegistry()
      return #expect(throws: InvalidInput.self) { try registry.register(type) }?.description
    }
    #expect(error(Empty.self) == "\"\" cannot name a validator: use letters and digits, a letter first")
    #expect(error(Digit.self) == "\"1a\" cannot name a validator: use letters and digits, a letter first")
    #expect(error(Dotted.self) == "\"a.b\" cannot name a validator: use letters and digits, a letter first")
    #expect(error(All.self) == "the validator name all is part of the language of pipeline files")
    #expect(error(Reason.self) == "the validator name reason is part of the language of pipeline files")
    #expect(error(Partial.self) == "the validator name partial is part of the language of pipeline files")
  }

  @Test func schemes() {
    #expect(URLScheme("HTTPS") == .https)
    #expect(("Tcp" as URLScheme).description == "tcp")
    #expect(URLScheme.http.defaultPort == 80)
    #expect(URLScheme.tcp.defaultPort == nil)
  }

  @Test func transportOptionsByType() throws {
    struct Own: Equatable { var number: Int }
    var request = ProbeRequest(try ProbeURL("https://h/"))
    #expect(request[Own.self] == nil)
    request[Own.self] = Own(number: 7)
    #expect(request[Own.self] == Own(number: 7))
    #expect(request[String.self] == nil)
  }
}

private protocol Misnamed: ConfigurableValidator where Options == Bool {
  init()
}

extension Misnamed {
  init(options: Bool) { self.init() }
  func validate(_ response: ProbeResponse) -> Validation { .accepted }
}

private struct Empty: Misnamed { static let name = "" }
private struct Digit: Misnamed { static let name = "1a" }
private struct Dotted: Misnamed { static let name = "a.b" }
private struct All: Misnamed { static let name = "all" }
private struct Reason: Misnamed { static let name = "reason" }
private struct Partial: Misnamed { static let name = "partial" }
