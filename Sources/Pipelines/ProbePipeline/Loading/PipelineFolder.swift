import ProbeCore
import ProbeSystem
import ProbeBase

/// The folder of a pipeline, whose files it can name.
struct PipelineFolder: Sendable {
  /// The path of the folder; empty for the current directory.
  let path: String

  init(ofFile path: String) {
    self.path = Self.folder(ofFile: path)
  }

  /// The folder of a file; empty for the current directory.
  static func folder(ofFile path: String) -> String {
    path.contains("/") ? path.folderOfPath : ""
  }

  /// The path of a file that the pipeline names.
  func path(ofNamed file: String) -> String {
    path(file, namedIn: path.isEmpty ? "" : path + "/")
  }

  /// The path of a file that another one names.
  func path(_ path: String, namedIn file: String) -> String {
    let folder = Self.folder(ofFile: file)
    return path.hasPrefix("/") || folder.isEmpty ? path : folder == "/" ? "/\(path)" : "\(folder)/\(path)"
  }

  /// The path with symbolic links resolved, or the path itself if nothing is there.
  func resolved(_ path: String) -> String { (try? FileReading.resolved(path)) ?? path }

  /// The bytes of a regular file in the folder or below, symbolic links resolved.
  ///
  /// - Parameters:
  ///   - file: The path of the file.
  ///   - limit: The maximum number of bytes wanted; a few more are returned if there are more.
  /// - Returns: The bytes.
  /// - Throws: `InvalidInput` if the file is outside of the folder, or cannot be read.
  func bytes(of file: String, limit: Int) throws(InvalidInput) -> [UInt8] {
    let name = Excerpt(file, limit: 200)
    do throws(FileError) {
      let bytes = try FileReading.bytes(of: file, in: [path.isEmpty ? "." : path], limit: limit)
      if let bytes { return bytes }
    } catch {
      throw InvalidInput("the file \(name) cannot be read: \("\(error)".lowercased())")
    }
    throw InvalidInput(
      "the file \(name) is outside of the pipeline's folder", remedy: "move it there")
  }
}
