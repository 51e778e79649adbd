#ifndef CPROBEBUILD_H
#define CPROBEBUILD_H

/// The commit that this program was built from, or NULL when the build did not say.
///
/// `PROBEKIT_COMMIT` in the environment of `swift build` sets it, see Package.swift. A target of its own, so that another
/// commit compiles only the command anew.
const char *_Nullable probekit_build_commit(void);

#endif
