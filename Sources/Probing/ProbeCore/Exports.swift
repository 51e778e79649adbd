// Addresses, errors, secrets and numbers are part of what requests and responses say, so who imports the domain has them.
@_exported public import ProbeBase
@_exported public import ProbeJSON
@_exported public import ProbeSecrets
