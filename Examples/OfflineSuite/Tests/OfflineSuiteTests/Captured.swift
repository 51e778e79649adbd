import Foundation
import ProbeKit
import ProbeReplay

/// What this team has captured, and what it asks.
enum Captured {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path

  /// Every fixture below the folder; one that is wrong is among them, and so is a folder without any.
  static let fixtures = FixtureLoader().load(["\(root)/Fixtures"])

  /// A captured network, from its initial state.
  static func network(_ name: String) throws -> ReplayedNetwork {
    try ReplayedNetwork("\(root)/Fixtures/\(name)", with: .bundled)
  }

  /// The plan of the pipeline file that the tills use.
  static func plan() throws -> ProbePlan {
    try ProbePlan(file: "\(root)/shop.yaml", with: .bundled)
  }
}
