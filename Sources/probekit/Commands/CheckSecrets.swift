import OpenSSL
import ProbeCore
import ProbePipeline

/// A secret a command line asks for: where it comes from, and what it is for.
struct NamedSecret: Sendable {
  /// The option that names it.
  var option: String
  /// Where it comes from.
  var source: SecretSource
  /// The secret, once it is read.
  var secret: Secret?
  private let use: @Sendable (inout ProbeRequest, Secret) -> Void

  /// A secret from a source as written on a command line, `env:NAME` or `file:PATH`.
  ///
  /// - Throws: ``InvalidInput`` for anything else, which is never quoted: it may be the secret itself.
  init(
    _ option: String, source text: Substring,
    use: @escaping @Sendable (inout ProbeRequest, Secret) -> Void
  ) throws(InvalidInput) {
    self.option = option
    self.use = use
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch parts.first {
    case "env" where parts.count == 2 && !parts[1].isEmpty: source = .environment(parts[1])
    case "file" where parts.count == 2 && !parts[1].isEmpty: source = .file(parts[1])
    default:
      throw InvalidInput(
        "a secret cannot stand on the command line, where others can read it",
        remedy: "name a variable or a file that holds it, as env:NAME or file:PATH")
    }
  }

  /// A user name and where the password comes from, `USER:env:NAME` or `USER:file:PATH`.
  ///
  /// - Throws: ``InvalidInput`` for anything else.
  init(
    _ option: String, login text: String,
    use: @escaping @Sendable (inout ProbeRequest, _ user: String, Secret) -> Void
  ) throws(InvalidInput) {
    guard let colon = text.firstIndex(of: ":") else {
      throw InvalidInput(
        "there is no password", remedy: "name where it comes from, as USER:env:NAME or USER:file:PATH")
    }
    let user = String(text[..<colon])
    try self.init(option, source: text[text.index(after: colon)...]) { use(&$0, user, $1) }
  }

  /// Puts the secret, or as long as it is not read what stands for it, into a request.
  func apply(to request: inout ProbeRequest) {
    use(&request, secret ?? Secret("unread"))
  }
}

extension CheckCommand {
  /// Reads the secrets that the options name.
  ///
  /// - Returns: nil when all of them can be used, otherwise the exit code; what is wrong is told then.
  func readSecrets(of options: inout CheckOptions, in context: CommandContext) -> ExitCode? {
    var codes: [ExitCode] = []
    for index in options.secrets.indices {
      let named = options.secrets[index]
      do throws(InvalidInput) {
        options.secrets[index].secret = try named.source.secret(environment: context.environment)
      } catch {
        context.report("\(named.option): \(error)")
        codes.append(named.source.path == nil ? .usage : .badInput)
      }
    }
    guard codes.isEmpty else { return .worst(of: codes) }
    // Only now it is known whether they can be sent.
    guard !options.secrets.isEmpty, let mistake = generalMistake(options) else { return nil }
    context.report(mistake)
    return .usage
  }

  /// What is wrong with the files named for TLS, each with its option.
  func unusableFiles(_ options: CheckOptions) -> [String] {
    var mistakes: [String] = []
    if let path = options.authorities {
      do throws(TrustStoreError) {
        _ = try TrustStore(files: [path])
      } catch {
        mistakes.append("--cacert: \(Excerpt(path, limit: 200)): \(error.reason)")
      }
    }
    guard let url = try? ProbeURL("https://example.com/"),
      let certificate = options.request(for: url).tls.clientCertificate
    else { return mistakes }
    do throws(IdentityError) {
      let (file, key) = (certificate.certificateFile, certificate.keyFile ?? certificate.certificateFile)
      guard let passphrase = certificate.passphrase else {
        _ = try Identity(certificateFile: file, keyFile: key)
        return mistakes
      }
      _ = try passphrase.withText { text throws(IdentityError) in
        try Identity(certificateFile: file, keyFile: key, passphrase: text)
      }
    } catch {
      mistakes.append("--client-cert: \(Excerpt(error.path, limit: 200)): \(error.reason)")
    }
    return mistakes
  }

  /// What is wrong with the options that go together.
  func misfits(_ options: CheckOptions) -> [InvalidInput] {
    let given = Set(options.secrets.map(\.option))
    var mistakes: [InvalidInput] = []
    if given.isSuperset(of: ["--bearer", "--basic"]) {
      mistakes.append(
        InvalidInput("--bearer and --basic exclude each other", remedy: "leave one of them out"))
    }
    if given.contains("--proxy-user"), options.proxy == nil {
      mistakes.append(InvalidInput("--proxy-user is for a proxy", remedy: "add --proxy, or leave it out"))
    }
    guard options.clientCertificate == nil else { return mistakes }
    for (option, isGiven) in [
      ("--client-key", options.clientKey != nil),
      ("--client-passphrase", given.contains("--client-passphrase")),
    ] where isGiven {
      mistakes.append(
        InvalidInput("\(option) is for a client certificate", remedy: "add --client-cert, or leave it out"))
    }
    return mistakes
  }
}
