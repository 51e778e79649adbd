public import PortalAnalysis
public import ProbeCore
public import ProbePipeline

/// The status of Internet access, with the kind of the interface.
///
/// An interface that is neither cellular nor Ethernet nor Wi-Fi, such as a VPN or Bluetooth, is never
/// reported as one of them: it is ``connected`` with Internet access, and ``notConnected`` without; see
/// ``ConnectivityState/currentInterface`` for the interface.
public enum ConnectivityStatus: String, Hashable, Sendable, Codable, CaseIterable {
  /// Internet access over any other kind of interface, or one of unknown kind.
  case connected
  /// Internet access over a mobile network.
  case connectedViaCellular
  /// A mobile network without Internet access.
  case connectedViaCellularWithoutInternet
  /// Internet access over Ethernet.
  case connectedViaEthernet
  /// Ethernet without Internet access.
  case connectedViaEthernetWithoutInternet
  /// Internet access over Wi-Fi.
  case connectedViaWiFi
  /// Wi-Fi without Internet access.
  case connectedViaWiFiWithoutInternet
  /// Nothing is known yet.
  case determining
  /// No Internet access, and no Ethernet, Wi-Fi or mobile network either.
  case notConnected
}

extension ConnectivityStatus {
  /// The status of an interface with or without Internet access.
  ///
  /// - Parameters:
  ///   - hasInternet: Whether Internet access was found.
  ///   - kind: The kind of the interface for traffic to the Internet, or nil if there is none.
  public init(hasInternet: Bool, via kind: InterfaceKind?) {
    switch kind {
    case .cellular: self = hasInternet ? .connectedViaCellular : .connectedViaCellularWithoutInternet
    case .ethernet: self = hasInternet ? .connectedViaEthernet : .connectedViaEthernetWithoutInternet
    case .wifi: self = hasInternet ? .connectedViaWiFi : .connectedViaWiFiWithoutInternet
    default: self = hasInternet ? .connected : .notConnected
    }
  }

  /// Whether there is Internet access.
  public var isConnected: Bool {
    switch self {
    case .connected, .connectedViaCellular, .connectedViaEthernet, .connectedViaWiFi: true
    case .connectedViaCellularWithoutInternet, .connectedViaEthernetWithoutInternet,
      .connectedViaWiFiWithoutInternet, .determining, .notConnected:
      false
    }
  }
}

extension ConnectivityStatus: CustomStringConvertible {
  /// A human-readable description of the status.
  public var description: String {
    switch self {
    case .connected: "Internet access"
    case .connectedViaCellular: "Cellular with Internet access"
    case .connectedViaCellularWithoutInternet: "Cellular without Internet access"
    case .connectedViaEthernet: "Ethernet with Internet access"
    case .connectedViaEthernetWithoutInternet: "Ethernet without Internet access"
    case .connectedViaWiFi: "Wi-Fi with Internet access"
    case .connectedViaWiFiWithoutInternet: "Wi-Fi without Internet access"
    case .determining: "Connectivity checks pending"
    case .notConnected: "No Connection"
    }
  }
}

/// The state of Internet access at one moment, with the evidence for it.
public struct ConnectivityState: Sendable {
  /// The status of Internet access, with the kind of the interface.
  public var status: ConnectivityStatus
  /// The verdict of the checks on the network; nil while nothing is known.
  public var verdict: Verdict?
  /// The captive portal that intercepts traffic, or nil.
  public var portal: Portal?
  /// The facts that support the status and the verdict.
  public var evidence: [Evidence]
  /// Interfaces and routes; nil if they are unavailable.
  public var path: NetworkPath?
  /// The interface for traffic to the Internet, or nil.
  public var currentInterface: NetworkInterface?
  /// The state of each address family.
  public var families: [IPFamily: FamilyState]
  /// The families that sets of the check that counts probe separately.
  var probedFamilies: Set<IPFamily> = []
  /// Whether there is Internet access, but responses are slow.
  public var isSlow: Bool
  /// The latency of the last check: the median time of the accepted probes, or nil if none was accepted.
  public var latency: Duration?
  /// The last check with the outcome of every URL, or nil if there was none yet.
  public var result: RunResult?
  /// The reason why interfaces and routes are unavailable, or nil if they are available.
  public var pathFailure: PathFailure?

  /// A state.
  public init(
    status: ConnectivityStatus = .determining, verdict: Verdict? = nil, portal: Portal? = nil,
    evidence: [Evidence] = [], path: NetworkPath? = nil, currentInterface: NetworkInterface? = nil,
    families: [IPFamily: FamilyState] = [:], isSlow: Bool = false, latency: Duration? = nil,
    result: RunResult? = nil, pathFailure: PathFailure? = nil
  ) {
    self.status = status
    self.verdict = verdict
    self.portal = portal
    self.evidence = evidence
    self.path = path
    self.currentInterface = currentInterface
    self.families = families
    self.isSlow = isSlow
    self.latency = latency
    self.result = result
    self.pathFailure = pathFailure
  }
}

extension ConnectivityState {
  /// The status in words that agree with ``verdict`` and ``currentInterface``.
  ///
  /// ``ConnectivityStatus`` has only ``ConnectivityStatus/notConnected`` for an interface that is neither cellular nor
  /// Ethernet nor Wi-Fi and has no Internet access, although a portal may respond over it. There the words are
  /// `No Internet access`, as opposed to `No Connection`.
  public var statusDescription: String {
    let hasConnection = currentInterface != nil || verdict != nil && verdict != .offline
    return status == .notConnected && hasConnection ? "No Internet access" : status.description
  }

  /// Whether there is Internet access.
  public var isConnected: Bool { status.isConnected }
  /// Whether there is Internet access over a mobile network.
  public var isConnectedViaCellular: Bool { status == .connectedViaCellular }
  /// Whether there is a mobile network without Internet access.
  public var isConnectedViaCellularWithoutInternet: Bool { status == .connectedViaCellularWithoutInternet }
  /// Whether there is Internet access over Ethernet.
  public var isConnectedViaEthernet: Bool { status == .connectedViaEthernet }
  /// Whether there is Ethernet without Internet access.
  public var isConnectedViaEthernetWithoutInternet: Bool { status == .connectedViaEthernetWithoutInternet }
  /// Whether there is Internet access over Wi-Fi.
  public var isConnectedViaWiFi: Bool { status == .connectedViaWiFi }
  /// Whether there is Wi-Fi without Internet access.
  public var isConnectedViaWiFiWithoutInternet: Bool { status == .connectedViaWiFiWithoutInternet }
  /// The interfaces that can carry traffic, except loopback.
  public var availableInterfaces: [NetworkInterface] { path?.availableInterfaces ?? [] }
  /// Whether traffic is billed by volume, or nil if unknown.
  public var isExpensive: Bool? { currentInterface?.isMetered }
}

/// The state of an address family.
public enum FamilyState: String, Hashable, Sendable, Codable {
  /// A probe by this family was accepted.
  case works
  /// Probes by this family were made, and none was accepted.
  case fails
  /// There is a route, but no probe has shown whether it works.
  case untested
  /// The machine has no route to the Internet for this family.
  case noRoute
}
