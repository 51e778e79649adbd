import FoundationEssentials
import ProbeCore
import Testing
import TestSupport

@Suite struct ReasonCodeTests {
  static var members: [String] {
    get throws {
      let source = projectFile("Sources/Probing/ProbeCore/ReasonCode+Known.swift")
      let text = try String(contentsOf: source, encoding: .utf8)
      let parts = text.split(separator: "= known(").dropFirst()
      return parts.map { String($0.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }) }
    }
  }

  @Test func everyMemberIsListedOnce() throws {
    let listed = ReasonCode.all.map(\.rawValue)
    #expect(Set(listed).count == listed.count)
    #expect(try Self.members == listed, "in the order they are declared")
  }

  @Test func codesAreSuitableAsLabels() throws {
    for code in ReasonCode.all {
      let meaning = try #require(code.meaning)
      #expect(code.rawValue.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 || $0 == 0x2E })
      #expect(code.rawValue.split(separator: ".").count <= 2)
      #expect(!meaning.isEmpty && meaning.escapedForDisplay == meaning)
    }
  }

  @Test func codesAreRecognizedByTheirRawValue() {
    #expect(ReasonCode.all.count == 70)
    for code in ReasonCode.all {
      let written = ReasonCode(rawValue: code.rawValue)
      #expect(written == code && written.meaning == code.meaning && written.traits == code.traits)
    }
    let own = ReasonCode(rawValue: "tls.ofMyOwn")
    #expect(own.meaning == nil && own.traits == [] && own != .tlsHandshake)
  }

  @Test func traitsOfTheTable() {
    func codes(_ trait: ReasonCode.Traits) -> [ReasonCode] {
      ReasonCode.all.filter { $0.traits.contains(trait) }
    }
    func codes(in areas: String...) -> [ReasonCode] {
      ReasonCode.all.filter { areas.contains(String($0.area)) }
    }
    #expect(codes(.lookup) == [.noSuchHost, .dnsFailure, .resolveTimeout])
    #expect(
      codes(.stopsTraffic)
        == codes(in: "dns", "connect", "proxy", "timeout", "tls").filter {
          // A certificate or a record can be judged only after an exchange.
          ![
            .recordMismatch, .totalTimeout, .certificateExpiresSoon, .certificateLacksName,
            .certificateIssuerMismatch,
            .certificateWeakKey, .certificateWeakSignature, .noCertificate,
          ].contains($0)
        } + [.httpProtocol, .httpHeadCut, .httpNoResponse])
    #expect(codes(.certificateDate) == [.certificateExpired, .certificateNotYetValid])
    #expect(
      codes(.certificateIssuer)
        == [.certificateWrongHost, .certificateUntrusted, .certificateSelfSigned, .certificateInvalid])
    #expect(codes(.aboutConnection) == codes(in: "address", "tls", "timing", "icmp"))
    #expect(codes(.aboutContent) == [.recordMismatch] + codes(in: "body", "dialog", "match"))
    #expect(codes(.undecided) == [.noAddress, .bodyTooLarge, .matchLimit, .pluginFailed, .pluginTimeout])
    #expect(codes(.byCaller) == [.earlierStep, .stepValue, .plaintext, .invalidRequest, .cancelled])
    #expect(codes(.thisMachine) == codes(in: "local"))
  }

  @Test func area() throws {
    #expect(ReasonCode.certificateExpired.area == "tls")
    #expect(ReasonCode.cancelled.area == "cancelled")
    #expect(ReasonCode(rawValue: "own.word.more").area == "own")
    #expect(ReasonCode.noSuchHost.description == "dns.noSuchHost")
    let coded = try JSONEncoder().encode([ReasonCode.noSuchHost])
    #expect(String(decoding: coded, as: UTF8.self) == "[\"dns.noSuchHost\"]")
  }
}
