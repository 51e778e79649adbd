import ConnectivityMonitor
import ProbeCore
import Testing

@Suite struct ConnectivityStateTests {
  /// The properties that are true of a status.
  private static func truths(of status: ConnectivityStatus) -> Set<String> {
    let state = ConnectivityState(status: status)
    let all = [
      "connected": state.isConnected,
      "cellular": state.isConnectedViaCellular,
      "cellular, no Internet": state.isConnectedViaCellularWithoutInternet,
      "ethernet": state.isConnectedViaEthernet,
      "ethernet, no Internet": state.isConnectedViaEthernetWithoutInternet,
      "wifi": state.isConnectedViaWiFi,
      "wifi, no Internet": state.isConnectedViaWiFiWithoutInternet,
    ]
    return Set(all.filter(\.value).keys)
  }

  @Test(
    arguments: [
      (.connected, ["connected"]), (.connectedViaCellular, ["connected", "cellular"]),
      (.connectedViaCellularWithoutInternet, ["cellular, no Internet"]),
      (.connectedViaEthernet, ["connected", "ethernet"]),
      (.connectedViaEthernetWithoutInternet, ["ethernet, no Internet"]),
      (.connectedViaWiFi, ["connected", "wifi"]),
      (.connectedViaWiFiWithoutInternet, ["wifi, no Internet"]), (.determining, []), (.notConnected, []),
    ] as [(ConnectivityStatus, Set<String>)])
  func propertiesMatchTheStatus(_ status: ConnectivityStatus, _ truths: Set<String>) {
    #expect(Self.truths(of: status) == truths)
  }

  @Test func interfacesAreThoseOfThePath() {
    var path = NetworkPath.over(.cellular)
    path.interfaces[1].isMetered = true
    let state = ConnectivityState(path: path, currentInterface: path.currentInterface)
    #expect(state.availableInterfaces.map(\.kind) == [.cellular])
    #expect(state.isExpensive == true)
    #expect(ConnectivityState(path: .wifi, currentInterface: .none).isExpensive == nil)
  }
}
