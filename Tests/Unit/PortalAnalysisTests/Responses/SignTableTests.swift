import Testing

@testable import PortalAnalysis

@Suite struct SignTableTests {
  /// A sign without a line counts nothing, and a line without a sign is a wrong name.
  @Test func everySignHasALineInTheFileOfWeights() {
    let text = String(decoding: PackageResources.sign_weights_tsv, as: UTF8.self)
    #expect(Set(SignWeights.names(in: text)).subtracting(["bias"]) == Set(Sign.all.map(\.name)))
    #expect(Set(Sign.all.map(\.name)).count == Sign.all.count)
  }
}
