extension WordLists {
  /// English, and what every language borrows from it.
  static let english = """
    en login: enter your code, enter code, enter the code, enter voucher, log in., login, log on., logon., sign in., signin., sign on., sign up., signup.
      username, user name, user id., userid., password, passphrase, passcode, voucher, access code, access key.
      pin code, coupon code, ticket code, activation code, verification code, sms code, one time password, otp.
      authenticate, credentials, register now, register here, register to., register your device
      create account, create an account, create new account, new user, already registered, registered user
      registration., guest registration, your room number, room number, phone number, mobile number
    en network: guest portal, login portal, choose your network, your router, router setup, setup wizard, set up your
      internet on board, onboard internet, internet pass, day pass, hour pass, choose a plan, choose your plan
      choose your pass, buy internet, wifi, wi fi., wlan, hotspot, hot spot., captive portal, captive network, ssid.
      guest network, guest access, guest internet, visitor network, wireless network, wireless access
      wireless settings, wireless internet, wireless lan, network login, network name, network settings
      device setup, device configuration, configure your device, set up your device, setup wizard, setup mode
      initial setup, first time setup, configuration portal, config portal, setup portal
      network password, network configuration, network key, available networks, scan for networks
      select network, select a network, choose network, choose a network, public network, network access, access to the network
      network connectivity, network connection, join the network, join network
      internet access, access the internet, access to the internet, connect to the internet, connect to internet
      connected to the internet, connect me, connect now, go online, get online, get connected, you are online
      you re online, now online, free internet, start browsing, start surfing, browse the internet, surf the
      access point, your session, session time, session expire, time remaining, remaining time, time left, free access
    en terms: terms and conditions, terms conditions, terms of use, terms of service, conditions of use
      acceptable use, fair use policy, user agreement, i agree, i accept, i have read, agree to the, agree to our
      agree to these, agree and, accept and, accept the, accept our, accept terms, accept these
      by clicking, by continuing, by connecting, by logging in, by using this, by signing in, by checking
      continue to the internet, click to continue, click continue, tap to, click the button, press the button
      house rules, liability
    en blocked: access denied, access is denied, access was denied, access has been denied, denied access
      denied., access blocked, access is blocked, access to this site, access to this website
      access to this web, access to the site, access to the website, access to the web
      access to the requested, access to this page, access to the page, access to this content
      access to this resource, access to this domain, access to this url, access forbidden, access restricted
      access is restricted, access is prohibited, access is not allowed, access not allowed, access prevented
      access prohibited, access has been restricted, access has been limited, access has been disabled
      access has been suspended, restricted access, blocked, is blocked, has been blocked
      have been blocked, been blocked, was blocked, site blocked, website blocked, web site blocked
      page blocked, url blocked, domain blocked, content blocked, request blocked, blocking page
      web filter, webfilter, content filter, url filter, dns filter, internet filter, being filtered, filtered by
      was filtered, forbidden., not available in your country, not available in your region
      not available in your location, restricted site, restricted website, restricted content, restricted by
      site is restricted, banned, not permitted to access, not allowed to access, not allowed to view
      not authorized to access, not authorized to view, do not have permission, don t have permission
      censor, blacklist, denylist, blocklist, block list, unblock, misclassif, incorrectly categor
      site is prohibited, website is prohibited, prohibited site, prohibited website, prohibited content
      account is suspended, account has been suspended, account suspended, service is suspended
      service has been suspended, overdue, unpaid, has been switched off, has been disconnected, contract ended
      contract has ended, was stopped to protect, stopped to protect, back to safety, continue at your own risk
    en content: illegal, unlawful, court order, court decision, order of the, by order, law enforcement
      ministry of, communications authority, regulatory authority, telecommunications authority, regulator.
      in accordance with the law, government, public authorities, pornograph, porn., gambling, betting, malware
      malicious, phishing, spyware, botnet, ransomware, computer virus, adult content, adult material, adult site
      adult website, obscen, indecent, immoral, child abuse, sexual, terroris, extremis
      copyright infring, copyright law, copyrighted, infring, security alert, security warning
      piracy, hate speech, category, categories, categoriz, categoris, content policy, security policy
      company policy, organization policy, internet access policy, policy violation, violation of, violates
      parental control, parental lock, family safe, safe browsing, safe internet, clean internet, internet safety
      internet watch foundation, inappropriate, offensive, objectionable, national security, harmful, dangerous
      block reason, reason for, over 18, 18 years, age verification, age restrict, age limit, under 18
      deceptive, fraudulent, unsafe, untrusted site, suspicious, system administrator, network administrator
      proxy server, firewall
    en failure: not found., page not found, could not be found, cannot be found, can t be found, bad gateway
      gateway timeout, gateway time out, service unavailable, temporarily unavailable, currently unavailable
      internal server error, server error, bad request, method not allowed, unauthorized, requires authentication
      requires an authentication, error 4, error 5, error code, error occurred, http error, try again later
      try again in, maintenance, web server is down, server is down, could not connect, unable to connect
      cannot be displayed, can t be reached, timed out, dns error, origin server, origin is, went wrong
      too many requests, host error, does not exist, doesn t exist, has been moved, be back soon
      under construction, proxy error, connection refused, no internet connection, overloaded, unreachable
      domain is for sale, domain may be for sale, buy this domain, domain is parked, parked domain, sponsored listings
      related searches, related links, search results, did you mean, unexpected condition, try your request again, application error, unknown host, unable to resolve
    en none: internet explorer, blocked cookies, cookies are blocked, pop up blocker, register of., registration number, registration no.
      terms of sale, hotspot detect, connectivity check, detect portal, captive portal check, all rights reserved
      log in to your account to pay, ad blocker, adblock
    """
}
