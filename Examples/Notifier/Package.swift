// swift-tools-version: 6.2
import PackageDescription

// In a package of your own, name a version instead of the path:
// .package(url: "https://…/ProbeKit", from: "…")
let package = Package(
  name: "Notifier",
  products: [.executable(name: "notifier", targets: ["Notifier"])],
  dependencies: [.package(name: "ProbeKit", path: "../..")],
  targets: [
    .target(
      name: "NotifierUses",
      dependencies: [
        .product(name: "ProbeKit", package: "ProbeKit"),
        .product(name: "ConnectivityMonitor", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
    .executableTarget(
      name: "Notifier",
      dependencies: [
        "NotifierUses",
        .product(name: "ProbeKit", package: "ProbeKit"),
        .product(name: "ConnectivityMonitor", package: "ProbeKit"),
        .product(name: "ProbeReplay", package: "ProbeKit"),
        .product(name: "ProbeCore", package: "ProbeKit"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
