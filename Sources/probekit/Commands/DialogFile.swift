import FoundationEssentials
import ProbeCore
import TCPTransport

/// A file with the steps of a dialog, as a list in JSON.
struct DialogFile {
  /// What is wrong with a file: each mistake in a line, and for some of them two more that point at the place.
  struct Unusable: Error {
    var mistakes: [(line: String, place: String?)]
  }

  private static let form = #"write a list of steps, such as [{ "expect": "220 " }, { "send": "QUIT\r\n" }]"#

  /// The dialog that stands in a file.
  ///
  /// - Throws: ``Unusable`` when the file cannot be read, or with everything that is wrong in it.
  static func read(_ path: String) throws(Unusable) -> Dialog {
    func unusable(_ mistake: InvalidInput) -> Unusable { Unusable(mistakes: [(mistake.description, nil)]) }
    let bytes: [UInt8]
    do {
      bytes = try FileContents.read(path)
    } catch {
      throw unusable(error)
    }
    do {
      return try JSONDecoder().decode(Dialog.self, from: Data(bytes))
    } catch let error as InvalidDialog {
      throw Unusable(mistakes: error.problems.map { ($0.description, $0.place) })
    } catch DecodingError.dataCorrupted {
      throw unusable(InvalidInput("the file is not valid JSON", remedy: form))
    } catch {
      throw unusable(InvalidInput("the file holds no list", remedy: form))
    }
  }
}

extension InvalidDialog.Problem {
  /// The place in the value; not in what is sent, which may be a secret.
  fileprivate var place: String? {
    key == "send" || key == "sendHex" ? nil : value.flatMap(input.caretLines)
  }
}
