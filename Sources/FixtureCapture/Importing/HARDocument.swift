import FoundationEssentials
import ProbeCore

/// What is read of a file in HAR 1.2, names as in the format; keys that begin with `_` are those of the browsers, who
/// agree on nothing about their values.
struct HARDocument: Decodable {
  struct Log: Decodable {
    var version: Custom<String>?
    var creator: Custom<Program>?
    var browser: Custom<Program>?
    var entries: [Attempt<Entry>]
  }

  struct Program: Decodable {
    var name: String?
    var version: String?
  }

  struct Entry: Decodable {
    var startedDateTime: String?
    var time: Double?
    var request: Request
    var response: Response
    var timings: Timings?
    var serverIPAddress: String?
    var _serverPort: Custom<Int>?
    var _fromCache: Custom<String>?
    var _error: Custom<String>?
  }

  struct Request: Decodable {
    var method: String
    var url: String
  }

  struct Response: Decodable {
    var status: Int
    var statusText: String?
    var httpVersion: String?
    var headers: [Header]?
    var content: Content?
    /// What Chromium says of a request that failed.
    var _error: Custom<String>?
    /// The same in what Playwright writes.
    var _failureText: Custom<String>?
  }

  struct Header: Decodable {
    var name: String
    var value: String?
  }

  struct Content: Decodable {
    var size: Double?
    var text: String?
    var encoding: String?
  }

  /// Milliseconds; -1 where there was no such phase.
  struct Timings: Decodable {
    var dns: Double?
    var connect: Double?
    var ssl: Double?
    var wait: Double?
  }

  var log: Log
}

extension HARDocument {
  /// A value, or why it is none: one bad entry does not hide what is wrong with the others.
  struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, InvalidInput>

    init(from decoder: any Decoder) throws {
      do {
        result = .success(try Value(from: decoder))
      } catch let error as DecodingError {
        result = .failure(InvalidInput(error, below: decoder.codingPath.count))
      }
    }
  }

  /// A value that nothing depends on: one of another type is none, and does not make its entry useless.
  struct Custom<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
      value = try? Value(from: decoder)
    }
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: ``InvalidInput`` when it is no JSON, or no HAR.
  static func read(_ bytes: ArraySlice<UInt8>) throws(InvalidInput) -> HARDocument {
    do {
      return try JSONDecoder().decode(HARDocument.self, from: Data(bytes))
    } catch let error as DecodingError {
      if case .dataCorrupted(let context) = error, context.codingPath.isEmpty {
        throw InvalidInput(
          "the file is not JSON\(context.reason)", remedy: "save it again; it may be incomplete")
      }
      let mistake = InvalidInput(error, below: 0)
      throw InvalidInput("the file is not a HAR file: \(mistake.message)", remedy: "save it as HAR 1.2")
    } catch {
      throw InvalidInput("the file cannot be read as JSON")
    }
  }
}

extension InvalidInput {
  /// What a decoder says, in the words of a file's author.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - depth: How many keys from the outside are known to the reader already.
  fileprivate init(_ error: DecodingError, below depth: Int) {
    func place(_ path: [any CodingKey], _ last: (any CodingKey)? = nil) -> String {
      (path.dropFirst(depth) + (last.map { [$0] } ?? [])).reduce("") { text, key in
        if let index = key.intValue { return text + "[\(index)]" }
        return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
      }
    }
    func named(_ path: [any CodingKey]) -> String {
      let place = place(path)
      return place.isEmpty ? "it" : place
    }
    switch error {
    case .keyNotFound(let key, let context):
      self.init("\(place(context.codingPath, key)) is missing")
    case .valueNotFound(let type, let context), .typeMismatch(let type, let context):
      self.init("\(named(context.codingPath)) is not \(Self.words(for: type))")
    case .dataCorrupted(let context):
      self.init("\(named(context.codingPath)) cannot be read\(context.reason)")
    @unknown default:
      self.init("it cannot be read")
    }
  }

  private static func words(for type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Int.Type: "a whole number"
    case is Double.Type: "a number"
    case is [Any].Type: "a list"
    case is [String: Any].Type: "an object"
    default: "what it should be"
    }
  }
}

extension DecodingError.Context {
  /// What JSON's reader says of it, behind a colon; its words are its own.
  fileprivate var reason: String {
    let inner = unsafe (underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
    let words = inner ?? debugDescription
    guard !words.isEmpty else { return "" }
    return ": \(words.escapedForDisplay.prefix(200).prefix { $0 != "\n" })"
  }
}
