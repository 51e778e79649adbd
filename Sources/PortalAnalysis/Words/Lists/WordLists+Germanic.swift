extension WordLists {
  /// German, Dutch, Swedish, Danish, Norwegian, Icelandic, Luxembourgish, Afrikaans.
  static let germanic = """
    de login: anmelden, anmeldung, anmeldedaten, melden sie sich an, melde dich an, einloggen, einwählen
      benutzername, benutzerkennung, nutzername, kennwort, passwort, zugangscode, zugangsdaten, zugangsschlüssel
      gutscheincode, gutschein code, ticketnummer, zimmernummer, handynummer, mobilfunknummer, telefonnummer
      registrieren, registrierung, konto erstellen, freischaltcode, authentifizier, bestätigungscode
    de network: netzzugang, netzwerkzugang, netzwerkzugriff, zugang zum netz, zugang zum netzwerk, netzwerkverbindung
      funknetz, drahtlosnetz, gastnetz, gäste netz, gästenetz, gastzugang, gästezugang, internetzugang
      internetzugriff, zugang zum internet, ins internet, im internet surfen, lossurfen, kostenlos surfen
      jetzt surfen, jetzt verbinden, mit dem internet verb, online gehen, netzwerkname, netzwerkschlüssel
      netzwerk auswählen, verfügbare netze, verfügbare netzwerke, restzeit, verbleibende zeit, freies internet
      kostenloses internet, netzzugang
    de terms: nutzungsbedingungen, benutzungsbedingungen, geschäftsbedingungen, agb., nutzungsordnung
      benutzerordnung, nutzungsrichtlinie, akzeptiere, akzeptieren, ich stimme, stimme zu, zustimmen
      einverstanden, gelesen und, haftung, weiter zum internet, hiermit bestätige
    de blocked: zugriff verweigert, zugriff wurde verweigert, zugriff gesperrt, zugriff wurde gesperrt
      zugriff blockiert, zugriff wurde blockiert, zugriff nicht, zugriff auf diese, zugriff auf die seite
      zugriff auf die angeforderte, zugang verweigert, zugang gesperrt, zugang zu dieser, zugang nicht gestattet
      gesperrt, sperrseite, sperrung, netzsperre, sperrliste, blockiert, geblockt, verboten., unzulässig
      nicht erlaubt, nicht gestattet, inhaltsfilter, webfilter, jugendschutzfilter, filterliste, zensur, zensiert
      in ihrem land nicht, aus rechtlichen gründen nicht, seite nicht freigegeben
    de content: illegal, rechtswidrig, gesetzlich, gerichtsbeschluss, gerichtlich, urteil, behörde, ministerium
      bundes, pornogra, glücksspiel, wetten, schadsoftware, schädlich, betrügerisch, gefährlich, jugendschutz
      jugendgefährdend, kindersicherung, kinderpornogra, altersnachweis, altersverifi, volljährig, kategorie
      richtlinie, urheberrecht, extremis, unangemessen, verstößt, systemadministrator, netzwerkadministrator
      ausschlussgrund
    de failure: nicht gefunden, seite nicht gefunden, nicht verfügbar, nicht erreichbar, wartungsarbeiten, wartung.
      serverfehler, interner fehler, fehler aufgetreten, fehler ist aufgetreten, später erneut, später noch einmal
      versuchen sie es später, zeitüberschreitung, existiert nicht, vorübergehend nicht, störung, überlastet
    nl login: aanmelden, meld je aan, meld u aan, inloggen, log in om, gebruikersnaam, wachtwoord, toegangscode
      toegangssleutel, vouchercode, kamernummer, telefoonnummer, registreren, registreer, account aanmaken
      inloggegevens, verificatiecode, authenticatie
    nl network: netwerktoegang, toegang tot het netwerk, netwerkverbinding
      draadloos netwerk, draadloze, gastnetwerk, gasttoegang, gratis internet, internettoegang
      toegang tot internet, toegang tot het internet, verbinding maken, verbind met, netwerknaam, netwerksleutel
      online gaan, beschikbare netwerken, kies een netwerk, resterende tijd, begin met surfen
    nl terms: gebruiksvoorwaarden, algemene voorwaarden, voorwaarden, ik ga akkoord, akkoord, ik accepteer
      accepteren, doorgaan, aansprakelijk
    nl blocked: toegang geweigerd, toegang is geweigerd, toegang ontzegd, toegang geblokkeerd, toegang is geblokkeerd
      toegang tot deze, toegang verboden, geen toegang, geblokkeerd, blokkade, geweigerd, verboten, niet toegestaan
      niet toegankelijk, inhoudsfilter, gecensureerd, niet beschikbaar in uw land
    nl content: illegale, onwettig, gerechtelijk, rechtbank, vonnis, overheid, ministerie, autoriteit, porno.
      pornogra, kansspel, gokken, schadelijk, kwaadaardig, gevaarlijk, ouderlijk toezicht, categorie, beveiligingsbeleid
      auteursrecht, ongepast, leeftijd, kinderporno, beheerder
    nl failure: niet gevonden, pagina niet gevonden, niet beschikbaar, onderhoud, fout opgetreden, serverfout
      interne fout, probeer het later, later opnieuw, bestaat niet, niet bereikbaar, storing
    sv login: logga in., inlogg, användarnamn, lösenord, åtkomstkod, verifieringskod, registrera dig, skapa konto
      skapa ett konto, rumsnummer, telefonnummer, mobilnummer, autentiser, kod för inloggning, värdekod
    sv network: nätverksåtkomst, åtkomst till nätverket, nätverksanslutning
      trådlöst, trådlösa, gästnät, gästnätverk, internetåtkomst, tillgång till internet, surfa gratis
      surfa på, börja surfa, anslut till, anslut dig, koppla upp, nätverksnamn, nätverksnyckel, välj nätverk
      tillgängliga nätverk, gratis internet, återstående tid, surfzon
    sv terms: användarvillkor, användningsvillkor, allmänna villkor, villkoren, jag godkänner, godkänn
      jag accepterar, acceptera, jag samtycker, fortsätt till
    sv blocked: åtkomst nekad, åtkomst förhindrad, åtkomst blockerad, åtkomst förbjuden, åtkomst till sidan
      åtkomsten har, nekad, nekats, blockerad, blockerats, blockering, spärrad, spärrats, förbjuden, otillåten
      inte tillåten, inte tillåtet, innehållsfilter, censur, inte tillgänglig i ditt land
    sv content: olaglig, illegal, domstol, dom från, myndighet, polisen, pornogra, hasardspel, spel om pengar
      skadlig, farlig, bedräglig, föräldrakontroll, kategori, säkerhetspolicy, bryter mot, upphovsrätt, olämplig, barnpornogra
      övergrepp, åldersgräns, systemadministratör, centrala proxy
    sv failure: hittades inte, kunde inte hittas, sidan finns inte, inte tillgänglig, underhåll, serverfel
      ett fel, försök igen senare, försök senare, går inte att nå, driftstörning
    da login: log ind., log på., brugernavn, adgangskode, kodeord, adgangskort, opret konto, opret bruger
      tilmeld dig, værelsesnummer, telefonnummer, engangskode, bekræftelseskode, godkendelseskode, login
    da network: netværksadgang, adgang til netværket, netværksforbindelse
      trådløst, trådløse, gæstenet, internetadgang, adgang til internettet, forbind til, opret forbindelse
      netværksnavn, netværksnøgle, vælg netværk, tilgængelige netværk, gratis internet, kom på nettet, gå online
      resterende tid, surf på
    da terms: brugsbetingelser, betingelser, vilkår, jeg accepterer, accepter, jeg godkender, jeg er enig, fortsæt
    da blocked: adgang nægtet, adgang forbudt, adgang blokeret, adgangen er, adgang til siden, adgang til denne
      ingen adgang, nægtet, blokeret, blokering, spærret, forbudt, ikke tilladt, indholdsfilter, censur
      ikke tilgængelig i dit land
    da content: ulovlig, fogedret, domstol, retskendelse, kendelse, myndighed, politiet, styrelsen, porno
      hasardspil, spil om penge, skadelig, farlig, svindel, forældrekontrol, ophavsret, upassende, børneporno
      aldersgrænse, sikkerhedspolitik
    da failure: ikke fundet, blev ikke fundet, findes ikke, kunne ikke findes, ikke tilgængelig, vedligeholdelse
      serverfejl, der opstod en fejl, prøv igen senere, ude af drift
    no login: logg inn., logg på., innlogging, pålogging, brukernavn, passord, tilgangskode, engangskode, romnummer
      opprett konto, opprett bruker, registrer deg, telefonnummer, mobilnummer, bekreftelseskode
    no network: nettverkstilgang, tilgang til nettverket, nettverkstilkobling
      trådløst nett, trådløse, gjestenett, internettilgang, internett tilgang, tilgang til internett
      koble til, koble deg til, nettverksnavn, nettverksnøkkel, velg nettverk, tilgjengelige nettverk
      gratis internett, gå på nett, gjenstående tid
    no terms: brukervilkår, vilkårene, jeg godtar, godta, jeg aksepterer, aksepter, jeg samtykker, fortsett
    no blocked: tilgang nektet, tilgang sperret, tilgang forbudt, tilgangen er, tilgang til denne, tilgang til siden
      ingen tilgang, nektet, blokkert, blokkering, sperret, forbudt, ikke tillatt, innholdsfilter, sensur
      ikke tilgjengelig i ditt land
    no content: ulovlig, domstol, rettskjennelse, kjennelse, myndighet, politiet, tilsynet, pornogra, pengespill
      skadelig, farlig, svindel, foreldrekontroll, opphavsrett, upassende, aldersgrense, overgrep, retningslinjer
    no failure: ikke funnet, ble ikke funnet, finnes ikke, ikke tilgjengelig, vedlikehold, serverfeil
      det oppstod en feil, det har oppstått en feil, prøv igjen senere, driftsstans
    is login: innskráning, skrá inn, skráðu þig, notandanafn, lykilorð, aðgangskóði, aðgangsorð, nýskráning
      herbergisnúmer, símanúmer, staðfestingarkóði
    is network: þráðlaust, þráðlausa, gestanet, netaðgang, aðgangur að netinu, aðgang að internetinu, tengjast
      tengdu þig, tengja við, nettenging, heiti nets
    is terms: skilmálar, skilmála, notkunarskilmál, ég samþykki, samþykkja, samþykkt, halda áfram
    is blocked: aðgangi hafnað, aðgangi synjað, aðgangur bannaður, aðgangur óheimill, aðgangur takmarkaður
      aðgangi lokað, lokað fyrir aðgang, lokað hefur verið, aðgangur að þess, bannað, óheimil, síða læst, blokkað
    is content: ólögleg, lögbann, dómstól, úrskurð, yfirvöld, lögregla, klám, fjárhættuspil, skaðleg, hættuleg
      höfundarrétt, óviðeigandi, aldurstakmark, flokkur.
    is failure: fannst ekki, síða fannst ekki, ekki tiltæk, viðhald, villa kom upp, reyndu aftur, er ekki til
    lb login: umellen, aloggen, benotzernumm, passwuert, zougangscode
    lb blocked: zougang refuséiert, zougang gespaart, gespaart, verbueden
    af login: teken in., meld aan., aanteken, gebruikersnaam, wagwoord, toegangskode
    af network: draadlose, gasnetwerk, koppel aan, internettoegang
    af terms: bepalings en voorwaardes, gebruiksvoorwaardes, ek stem in, ek aanvaar, aanvaar
    af blocked: toegang geweier, geblokkeer, versper, verbode, nie toegelaat
    af content: onwettig, hofbevel, dobbel, skadelik, kategorie, sekuriteitsbeleid
    af failure: nie gevind nie, nie beskikbaar, probeer later, onderhoud
    """
}
