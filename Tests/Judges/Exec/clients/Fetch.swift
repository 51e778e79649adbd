import Foundation
import FoundationNetworking

@main struct Fetch {
  static func main() async throws {
    for argument in CommandLine.arguments.dropFirst() {
      guard let url = URL(string: argument) else { continue }
      let (data, _) = try await URLSession.shared.data(from: url)
      print(String(decoding: data, as: UTF8.self))
    }
  }
}
