# Renames a package that uses ProbeKit 0.2 for 0.3, as far as a name alone decides (docs/migration.md has the others):
#   sed -E -i -f rename-0.3.sed $(git ls-files '*.swift')
# Modules; an import that is then there twice does no harm.
s/\bimport ((struct|enum|class|protocol|func|typealias) )?(StringValidators|PCRE2Validator|HTTPValidators|ConnectionValidators)\b/import \1Validators/
s/\bimport ((struct|enum|class|protocol|func|typealias) )?(HTTPTransport|TCPTransport)\b/import \1Transports/
s/\bimport ((struct|enum|class|protocol|func|typealias) )?TextDecoding\b/import \1ProbeText/
# Names with their module.
s/\b(StringValidators|PCRE2Validator|HTTPValidators|ConnectionValidators)\.([A-Z])/Validators.\2/g
s/\bTextDecoding\.([A-Z])/ProbeText.\1/g
# Types.
s/\bAnswerParts\b/ResponseParts/g
s/\bAnswerAnalysis\b/ResponseAnalysis/g
s/\bAnswerKind\b/ResponseKind/g
s/\bAnswerSign\b/ResponseSign/g
s/\bReplayAnswer\b/ReplayResponse/g
s/\bAnswerEnd\b/ResponseEnd/g
s/\bSourcePlace\b/FileLocation/g
/\bimport /!s/(^|[^"`[:alnum:]_])CurlTransport\b/\1LibcurlTransport/g
s/\bLibcurlTransport\.LibcurlTransport\b/CurlTransport.LibcurlTransport/g
s/\bDialog\.Sought\b/Dialog.SearchTerm/g
s/\bHostResolver\.Answer\b/HostResolver.LookupResult/g
# Members.
s/\banswer: (ReplayResponse)?\.(respond|send)\(/response: \1.\2(/g
s/\.neverAnswers\(/.neverResponds(/g
s/\.transportAnswer\b/.transportResponse/g
s/\.validatorSameAnswer\b/.validatorSameResult/g
s/\.sameAnswer\b/.sameResponse/g
s/\.longestInterval\b/.maximumInterval/g
s/\.standIn\b/.placeholder/g
s/\.isOfArgument\b/.isAboutArgument/g
