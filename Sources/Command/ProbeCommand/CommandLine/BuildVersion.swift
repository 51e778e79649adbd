import CommandKit
import ProbeCore
internal import CProbeBuild
internal import ProbeStreams
internal import ProbeCodecs
internal import CurlTransport
internal import ProbeText
internal import ProbeJSON
internal import ProbeTLS
internal import ProbePatterns
internal import SourceDocuments

/// The output of `--version` for this build of ProbeKit.
enum BuildVersion {
  /// The loaded libraries, with their versions.
  static var libraries: String {
    let libraries = [
      "libcurl/\(CurlClient.libraryVersion)", "OpenSSL/\(ClientContext.libraryVersion)",
      "c-ares/\(AresChannel.libraryVersion)", "ldns/\(LDNS.libraryVersion)",
      "PCRE2/\(Pattern.libraryVersion)",
      "libyaml/\(YAMLParser.libraryVersion)", "jansson/\(JSONParser.libraryVersion)",
      // This library does not report its version.
      "gumbo", "libidn2/\(DomainName.libraryVersion)", "libpsl/\(PublicSuffixes.libraryVersion)",
      "zlib/\(Inflater.libraryVersion)",
      "brotli/\(BrotliDecoder.libraryVersion)",
      "zstd/\(ZstdDecoder.libraryVersion)",
    ]
    return "Libraries: " + libraries.joined(separator: " ")
  }

  /// The suffix of the version line: the commit, if it is known.
  static var commitNote: String {
    commit.map { " (commit \($0))" } ?? ""
  }

  /// The commit that the program was built from, as set by the build.
  static var commit: String? {
    unsafe probekit_build_commit().map { unsafe String(cString: $0) }
  }
}

extension ToolName {
  /// The first line of `--version`: with the commit or, for another program, the version of the toolkit.
  var versionLine: String {
    name == Self.ownName
      ? "\(name) \(version)\(BuildVersion.commitNote)" : "\(name) \(version) (ProbeKit \(probeKitVersion))"
  }
}
