import Glibc

/// Random interleavings of probes with faults, cancellation, time-outs, monitors and reloads, all on this machine.
///
/// Every probe must end once with a correct code, and no resource may be left in use.
///
/// `soak [--seed N] [--seconds N] [--round N] [--only KIND] [--patience N]`; exits with 1 on problems.
@main enum Main {
  static func main() async {
    let options: SoakOptions
    do throws(SoakOptions.ArgumentError) {
      options = try SoakOptions(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Report.line("soak: \(error.words)")
      exit(64)
    }
    guard Descriptors.raised() else {
      Report.line(
        "soak: the limit of file descriptors is too low: raise it to \(Descriptors.needed) (ulimit -n)")
      exit(69)
    }
    do {
      var soak = try Soak(options)
      exit(try await soak.run() ? 0 : 1)
    } catch {
      Report.line("soak: cannot run: \(error)")
      exit(69)
    }
  }
}
