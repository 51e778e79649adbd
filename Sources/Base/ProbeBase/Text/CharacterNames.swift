/// The ASCII and Latin-1 characters that have names in HTML (HTML standard §13.5).
package enum CharacterNames {
  /// The maximum length of a name in bytes.
  package static let maximumLength = 7

  /// The characters by name; a key is the bytes of the name as one number.
  package static let all: [UInt64: Unicode.Scalar] = {
    var names: [UInt64: Unicode.Scalar] = [:]
    func add(_ name: some StringProtocol, _ scalar: Unicode.Scalar) {
      names[name.utf8.reduce(0) { $0 << 8 | UInt64(widening: $1) }] = scalar
    }
    for line in ascii.split(separator: " ") {
      // The first character of the line is the one that all names after it represent.
      let names = line.split(separator: "=", omittingEmptySubsequences: false)
      guard let scalar = line.unicodeScalars.first else { continue }
      for name in names.dropFirst(scalar == "=" ? 2 : 1) { add(name, scalar) }
    }
    add("Tab", "\t")
    add("NewLine", "\n")
    for (name, value) in zip(latin1.split(separator: " "), UInt8(0xA0)...0xFF) {
      add(name, Unicode.Scalar(value))
    }
    return names
  }()

  private static let ascii = """
    &=amp=AMP <=lt=LT >=gt=GT "=quot=QUOT '=apos !=excl #=num $=dollar %=percnt (=lpar )=rpar *=ast=midast +=plus \
    ,=comma .=period /=sol :=colon ;=semi ==equals ?=quest @=commat [=lsqb=lbrack \\=bsol ]=rsqb=rbrack ^=Hat _=lowbar \
    `=grave {=lcub=lbrace |=verbar=vert=VerLine }=rcub=rbrace
    """

  /// The names of the characters from U+00A0 on.
  private static let latin1 = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro \
    para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil \
    Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
    Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
    igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute \
    thorn yuml
    """
}
