import ConnectivityMonitor
import Testing

@Suite
struct ConnectivityStatusTests {
  @Test(arguments: [
    (ConnectivityStatus.connected, "Internet access"),
    (.connectedViaCellular, "Cellular with Internet access"),
    (.connectedViaCellularWithoutInternet, "Cellular without Internet access"),
    (.connectedViaEthernet, "Ethernet with Internet access"),
    (.connectedViaEthernetWithoutInternet, "Ethernet without Internet access"),
    (.connectedViaWiFi, "Wi-Fi with Internet access"),
    (.connectedViaWiFiWithoutInternet, "Wi-Fi without Internet access"),
    (.determining, "Connectivity checks pending"),
    (.notConnected, "No Connection"),
  ])
  func descriptionsAreThoseOfConnectivity(of status: ConnectivityStatus, is text: String) {
    #expect(status.description == text)
  }

  @Test
  func eachKindOfInterfaceHasItsStatus() {
    for kind in InterfaceKind.allCases {
      let with = ConnectivityStatus(hasInternet: true, via: kind)
      let without = ConnectivityStatus(hasInternet: false, via: kind)
      #expect(with.isConnected && !without.isConnected)
      switch kind {
      case .cellular:
        #expect((with, without) == (.connectedViaCellular, .connectedViaCellularWithoutInternet))
      case .ethernet:
        #expect((with, without) == (.connectedViaEthernet, .connectedViaEthernetWithoutInternet))
      case .wifi: #expect((with, without) == (.connectedViaWiFi, .connectedViaWiFiWithoutInternet))
      // A VPN and Bluetooth are not Ethernet.
      default: #expect((with, without) == (.connected, .notConnected))
      }
    }
    #expect(ConnectivityStatus(hasInternet: false, via: nil) == .notConnected)
    #expect(!ConnectivityStatus.determining.isConnected)
  }
}
