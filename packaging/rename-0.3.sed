# Renames a package that uses ProbeKit 0.2 for 0.3, as far as a name alone decides (docs/migration.md has the others):
#   sed -E -i -f rename-0.3.sed $(git ls-files '*.swift')
# Modules.
s/\bimport (struct |enum |class |protocol )?(StringValidators|PCRE2Validator|HTTPValidators|JSONValidator|ConnectionValidators|DNSValidators)\b/import \1Validators/
s/\bimport (struct |enum |class |protocol )?(HTTPTransport|TCPTransport|DNSTransport|ICMPTransport|ProgramPlugins)\b/import \1Transports/
s/\bimport TextDecoding\b/import ProbeText/
# Types.
s/\bAnswerParts\b/ResponseParts/g
s/\bAnswerAnalysis\b/ResponseAnalysis/g
s/\bAnswerKind\b/ResponseKind/g
s/\bAnswerSign\b/ResponseSign/g
s/\bReplayAnswer\b/ReplayResponse/g
s/\bAnswerEnd\b/ResponseEnd/g
s/\bSourcePlace\b/FileLocation/g
s/\bCurlTransport\(/LibcurlTransport(/g
# Members.
s/\banswer: \.(respond|send)\(/response: .\1(/g
s/\.answers\(ProbeRequest\(/.responds(ProbeRequest(/g
s/\.neverAnswers\(/.neverResponds(/g
s/\.transportAnswer\b/.transportResponse/g
s/\.validatorSameAnswer\b/.validatorSameResult/g
s/\.sameAnswer\b/.sameResponse/g
s/\.longestInterval\b/.maximumInterval/g
