import ConnectivityMonitor
import ProbeCore

/// A path as a line of JSON, with names instead of numbers.
struct PathRecord: Encodable {
  struct Interface: Encodable {
    var name: String
    var kind: String
    var isUp: Bool
    var hasCarrier: Bool
    var isRunning: Bool
    var isPointToPoint: Bool
    var isMetered: Bool?
    var addresses: [String]
  }

  struct Way: Encodable {
    var family: String
    var interface: String
    var gateway: String?
    var source: String?
    var metric: Int?
    var isLocal: Bool?
  }

  var interfaces: [Interface]
  var defaultRoutes: [Way]
  var internet: [String: Way]
  var current: String?

  init(_ path: NetworkPath) {
    interfaces = path.interfaces.map { interface in
      Interface(
        name: interface.name, kind: interface.kind.rawValue, isUp: interface.isUp,
        hasCarrier: interface.hasCarrier, isRunning: interface.isRunning,
        isPointToPoint: interface.isPointToPoint, isMetered: interface.isMetered,
        addresses: interface.addresses.map {
          "\($0.address)/\($0.prefixLength)" + ($0.isUsable ? "" : " unusable")
        })
    }
    defaultRoutes = path.defaultRoutes.map { route in
      Way(
        family: route.family.rawValue, interface: path.name(of: route.interface),
        gateway: route.gateway?.description, metric: route.metric)
    }
    internet = [:]
    for (family, route) in path.internet { internet[family.rawValue] = Way(route, in: path) }
    current = path.currentInterface?.name
  }
}

extension PathRecord.Way {
  init(_ route: Route, in path: NetworkPath) {
    self.init(
      family: route.destination.family.rawValue, interface: path.name(of: route.interface),
      gateway: route.gateway?.description, source: route.source?.description, isLocal: route.isLocal)
  }
}

extension NetworkPath {
  fileprivate func name(of index: Int) -> String { interface(index)?.name ?? "?" }
}
