// swift-tools-version: 6.2
import PackageDescription

// In a package of your own, name a version instead of the path:
// .package(url: "https://…/ProbeKit", from: "…")
let package = Package(
  name: "HealthPlugin",
  dependencies: [.package(name: "ProbeKit", path: "../../..")],
  targets: [
    .executableTarget(
      name: "health-plugin", dependencies: [.product(name: "ProbeCore", package: "ProbeKit")], path: "Sources"
    )
  ],
  swiftLanguageModes: [.v6]
)
