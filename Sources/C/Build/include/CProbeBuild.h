#ifndef CPROBEBUILD_H
#define CPROBEBUILD_H

/// The commit from which this program was built, or NULL if the build did not specify it.
///
/// It is set by `PROBEKIT_COMMIT` in the environment of `swift build`; see Package.swift. This is a separate target, so
/// that a new commit recompiles only the command.
const char *_Nullable probekit_build_commit(void);

#endif
