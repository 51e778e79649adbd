import ConnectivityMonitor
import ProbePipeline
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

  /// The words agree with the verdict, also for an interface that the status has no case for.
  @Test(
    arguments: [
      (InterfaceKind.vpn, Verdict.captivePortal, "No Internet access"),
      (.virtual, .captivePortal, "No Internet access"), (.virtual, .offline, "No Internet access"),
      (.bluetooth, .partial, "No Internet access"), (nil, .captivePortal, "No Internet access"),
      (nil, .offline, "No Connection"), (nil, nil, "No Connection"),
      (.wifi, .captivePortal, "Wi-Fi without Internet access"), (.vpn, .online, "Internet access"),
    ] as [(InterfaceKind?, Verdict?, String)])
  func theStateIsDescribedAsItsVerdict(_ kind: InterfaceKind?, _ verdict: Verdict?, _ text: String) {
    let state = ConnectivityState(
      status: ConnectivityStatus(hasInternet: verdict == .online, via: kind), verdict: verdict,
      currentInterface: kind.map { NetworkInterface(index: 2, name: "docker0", kind: $0) })
    #expect(state.statusDescription == text)
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
