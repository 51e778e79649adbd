internal import CProbeBuild
internal import ProbeAres
internal import ProbeBrotli
internal import ProbeCore
internal import ProbeCurl
internal import ProbeJansson
internal import ProbeOpenSSL
internal import ProbePCRE2
internal import ProbeYAML
internal import ProbeZlib
internal import ProbeZstd

/// What `--version` says of this build of ProbeKit.
enum BuildVersion {
  /// The version, the commit when the build knows it, and the libraries that are running.
  static var text: String {
    let libraries = [
      "libcurl/\(CurlClient.libraryVersion)", "OpenSSL/\(ClientContext.libraryVersion)",
      "c-ares/\(AresChannel.libraryVersion)", "PCRE2/\(Pattern.libraryVersion)",
      "libyaml/\(YAMLParser.libraryVersion)", "jansson/\(JSONParser.libraryVersion)",
      // This library does not say its version.
      "gumbo", "zlib/\(Inflater.libraryVersion)", "brotli/\(BrotliDecoder.libraryVersion)",
      "zstd/\(ZstdDecoder.libraryVersion)",
    ]
    let commit = commit.map { " (commit \($0))" } ?? ""
    return "probekit \(probeKitVersion)\(commit)\nLibraries: " + libraries.joined(separator: " ")
  }

  /// The commit that the program was built from, as the build said it.
  static var commit: String? {
    unsafe probekit_build_commit().map { unsafe String(cString: $0) }
  }
}
