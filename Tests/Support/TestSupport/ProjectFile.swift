package import Foundation

package var projectRoot: URL {
  // This file is in Tests/Support/TestSupport.
  (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
}

/// A file or a folder of the project.
///
/// - Parameter path: Its path from the project's root.
/// - Returns: Its URL.
package func projectFile(_ path: String) -> URL { projectRoot.appending(path: path) }
