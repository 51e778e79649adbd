import FoundationEssentials
import ProbeCore

/// The parts of a HAR 1.2 file that are read, named as in the format.
///
/// Keys that begin with `_` are extensions of browsers, whose values differ in type. Times and sizes describe an
/// exchange only: one that is no number, or too large for one, does not invalidate it.
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
    var time: Custom<Double>?
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
    var status: Status
    var statusText: String?
    var httpVersion: String?
    var headers: [Header]?
    var content: Content?
    /// Chromium's error of a failed request.
    var _error: Custom<String>?
    /// The same in Playwright's output.
    var _failureText: Custom<String>?
  }

  /// A status, which is a whole number.
  struct Status: Decodable {
    let code: Int

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do {
        code = try container.decode(Int.self)
      } catch {
        let number = try? container.decode(Double.self)
        let context = DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "the number is too large")
        if let number, number != number.rounded() { throw DecodingError.typeMismatch(Int.self, context) }
        // Foundation has no public error for it, and would report that the whole file is not JSON.
        throw error is DecodingError ? error : DecodingError.dataCorrupted(context)
      }
    }
  }

  struct Header: Decodable {
    var name: String
    var value: String?
  }

  struct Content: Decodable {
    var size: Custom<Double>?
    var text: String?
    var encoding: String?
  }

  /// The phases in milliseconds; -1 for a phase that did not happen.
  struct Timings: Decodable {
    var dns: Custom<Double>?
    var connect: Custom<Double>?
    var ssl: Custom<Double>?
    var wait: Custom<Double>?
  }

  var log: Log
}

extension HARDocument {
  /// A value or its error, so that one invalid entry does not hide errors in the others.
  struct Attempt<Value: Decodable>: Decodable {
    let result: Result<Value, InvalidInput>

    init(from decoder: any Decoder) throws {
      do {
        result = .success(try Value(from: decoder))
      } catch let error as DecodingError {
        result = .failure(InvalidInput(error, below: decoder.codingPath.count))
      } catch {
        result = .failure(InvalidInput("it cannot be read"))
      }
    }
  }

  /// An optional value; with an unexpected type it is nil, and does not invalidate its entry.
  struct Custom<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
      value = try? Value(from: decoder)
    }
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: ``InvalidInput`` if it is not JSON, or not HAR.
  static func read(_ bytes: ArraySlice<UInt8>) throws(InvalidInput) -> HARDocument {
    guard hasFewValues(bytes) else {
      throw InvalidInput(
        "the file has more than \(CaptureImport.maximumValueCount) values",
        remedy: "check that it is the right file")
    }
    do {
      return try JSONDecoder().decode(HARDocument.self, from: Data(bytes))
    } catch let error as DecodingError {
      if case .dataCorrupted(let context) = error, context.codingPath.isEmpty {
        throw InvalidInput(
          "the file is not JSON\(context.reason)", remedy: "the file may be incomplete; save it again")
      }
      let mistake = InvalidInput(error, below: 0)
      throw InvalidInput("the file is not a HAR file: \(mistake.message)", remedy: "save it as HAR 1.2")
    } catch {
      throw InvalidInput("the file cannot be read as JSON")
    }
  }
}

extension HARDocument {
  /// Whether the signs before values, outside of texts, are not too many for the memory.
  private static func hasFewValues(_ bytes: ArraySlice<UInt8>) -> Bool {
    var count = 0
    var (isInText, isEscaped) = (false, false)
    for byte in bytes {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isInText.toggle()
      } else if isInText {
        isEscaped = byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
        count += 1
      }
    }
    return count <= CaptureImport.maximumValueCount
  }
}

extension InvalidInput {
  /// Translates a decoder's error into terms of the file.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - depth: The number of outer keys to leave out of the path.
  fileprivate init(_ error: DecodingError, below depth: Int) {
    func location(_ path: [any CodingKey], _ last: (any CodingKey)? = nil) -> String {
      (path.dropFirst(depth) + (last.map { [$0] } ?? [])).reduce("") { text, key in
        if let index = key.intValue { return text + "[\(index)]" }
        return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
      }
    }
    func named(_ path: [any CodingKey]) -> String {
      let location = location(path)
      return location.isEmpty ? "it" : location
    }
    switch error {
    case .keyNotFound(let key, let context):
      self.init("\(location(context.codingPath, key)) is missing")
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
    default: "of the right type"
    }
  }
}

extension DecodingError.Context {
  /// The JSON parser's message after a colon, in its own words.
  fileprivate var reason: String {
    let inner = unsafe (underlyingError as? CocoaError)?.userInfo["NSDebugDescription"] as? String
    let words = inner ?? debugDescription
    guard !words.isEmpty else { return "" }
    let line = words.escapedForDisplay.prefix(200).prefix { $0 != "\n" }
    return ": \(line.hasSuffix(".") ? line.dropLast() : line)"
  }
}
