internal import ProbeCore

/// What the names in a page's markup say: ids, classes, names of fields and forms, file names.
///
/// Such a name is made of words of its author's trade, mostly English, glued by capitals, underscores and hyphens. A
/// block in it is a piece of layout, so that `cssBlock` says nothing of being blocked.
enum IdentifierWords {
  /// The words that a name has, such as two in `login_form_voucher`.
  ///
  /// - Parameter name: The name; any bytes, and any number of names with something between them.
  /// - Returns: What was found, by topic.
  static func tally(_ name: Span<UInt8>) -> WordTally {
    vocabulary.tally(split(name).span)
  }

  /// The words of names; apart from ``WordLists``, since names are not prose.
  static let vocabulary = Vocabulary([
    """
    en login: login, logon., log in., log on., signin., sign in., signup., sign up., auth., authenticate
      authentication, username, user name, userid, user id, passwd, password, pass wd, passwort, passphrase
      passcode, pwd., voucher, coupon, access code, accesscode, access key, accesskey, pin code, pincode
      ticket code, ticketcode, sms code, smscode, verification code, verify code, otp., register., registration
      credentials, room number, roomnumber, roomno., room no., webauth, weblogin, userlogin, user pass
      userpass, loginform, mobile number, phone number, phonenumber, webauthn
    en network: wifi, wi fi., wlan, ssid, essid, hotspot, hot spot, captive, guest., guestnet, guestportal
      guestlogin, guestaccess, guest access, splash, portal., portalform, uamip, uamport, uamhost, uamsecret
      uam., challenge., client mac, clientmac, ap mac, apmac, mac addr, macaddr, user mac, usermac, node mac
      nas id, nasid, nas ip, nasip, gw id, gw address, gw port, gwid, gateway name, gatewayname, client ip
      clientip, user url, userurl, orig url, origurl, original url, redir url, redirurl, redirect url
      redirecturl, continue url, success url, switch url, switchurl, base grant, grant url, buttonclicked
      wispr, hidden network, network name, networkname, psk., wpa., station mac
    en terms: accept., accepted, accept terms, acceptterms, acceptterm, terms., agree., agreed, agreement., tos.
      aup., conditions., disclaimer, i agree, iagree, eula., consent terms
    en blocked: whitelist, allowlist, blacklist, blocklist, blocked., blockpage, block page, blockedpage, blockmessage, block message, blockreason, block reason
      blocking., denied., deny., accessdenied, access denied, forbidden., restricted., banned., filtered.
      unblock, censor, prohibited., zapret, blokir
    en content: category., categories., cat name, policy name, policyname, malware, phishing, parental, threat.
      porn., gambling, url category, urlcategory
    en failure: error page, errorpage, error code, errorcode, not found, notfound, error message, maintenance
      cf error, http error
    en none: cookie accept, accept cookie, accept all, cookie consent, cookie policy, accept charset, post category
    """
  ])

  /// The words of a field that say who somebody is or that somebody may come in; elsewhere in a page each of them may
  /// mean something else.
  static let ofPeople = Vocabulary([
    """
    en login: code., codes, pin., token., key., kode., codigo, codice, kod., room., roomnr, zimmer, chambre, habitacion
      surname, lastname, last name, firstname, first name, fullname, full name, mail., email., e mail, correo, mobile.
      phone., telephone, tel., cell., cellphone, celular, telefon, telefono, handy., msisdn, gsm., user., usr., usuario
      utente, utilisateur, benutzer, cpf., ticket., card number, cardnumber, member, student, staff id, identif
    """
  ])

  /// The name with a space wherever one of its words starts (`clientMac`, `HTMLForm`), and instead of digits.
  static func split(_ name: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(name.count + name.count / 4)
    for place in 0..<name.count {
      let byte = name[place]
      if byte.isASCIIUppercase, place > 0 {
        let before = name[place - 1]
        let isLastCapital =
          before.isASCIIUppercase && place + 1 < name.count && name[place + 1].isASCIILowercase
        if before.isASCIILowercase || isLastCapital { text.append(UInt8(ascii: " ")) }
      }
      text.append(byte.isASCIIDigit ? UInt8(ascii: " ") : byte)
    }
    return text
  }
}
