extension WordLists {
  /// Polish, Czech, Slovak.
  static let westSlavic = """
    pl login: zaloguj, logowanie, logowania, logować, nazwa użytkownika, nazwę użytkownika, użytkownik., hasło
      hasła, kod dostępu, kod dostępowy, kod weryfikacyjny, kod aktywacyjny, voucher, zarejestruj, rejestracja
      utwórz konto, załóż konto, uwierzytelni, numer pokoju, numer telefonu, dane logowania
    pl network: sieć bezprzewodow, sieci bezprzewodow, bezprzewodow, sieć dla gości, sieć gościnna, dostęp gościnny
      dostęp do internetu, dostępu do internetu, dostęp do sieci, połącz się, połącz z, połączyć się z
      korzystać z internetu, korzystaj z internetu, przeglądać internet, punkt dostępu, nazwa sieci, klucz sieci
      dostępne sieci, wybierz sieć, darmowy internet, bezpłatny internet, pozostały czas, przejdź do internetu
    pl terms: regulamin, warunki korzystania, warunki użytkowania, akceptuję, akceptuj, zaakceptuj, zgadzam się
      wyrażam zgodę, zapoznałem, przeczytałem, klikając, kontynuuj
    pl blocked: dostęp zabroniony, dostęp zablokowany, dostęp ograniczony, dostęp zastrzeżony, odmowa dostępu
      odmówiono dostępu, brak dostępu, dostęp do tej strony, dostęp do strony, dostęp do serwisu, zablokowan
      blokada, blokowan, zabronion, zakazan, niedozwolon, nie masz uprawnień, brak uprawnień, filtr treści
      filtrowan, cenzur, czarna lista, niedostępna w twoim kraju, niedostępna w państwa kraju
    pl content: nielegaln, niezgodn, ustaw, wyrok, decyzj, postanowieni, prokurat, urzędu, ministerstw, organ
      pornogra, hazard, zakłady, gier hazardowych, złośliw, szkodliw, niebezpieczn, wyłudz, oszust
      kontrola rodzicielska, kontroli rodzicielskiej, kategoria, kategorii, polityka bezpieczeństwa
      polityki bezpieczeństwa, prawa autorskie, praw autorskich, nieodpowiedni, terrory, pełnoletni, dorosłych
      administrator systemu, administratorem
    pl failure: nie znaleziono, nie została znaleziona, nie można znaleźć, nie istnieje, niedostępn, przerwa techniczna
      prace konserwacyjne, konserwacj, błąd serwera, błąd wewnętrzny, wystąpił błąd, spróbuj ponownie
      spróbuj później, spróbować później, przekroczono czas, awaria
    cs login: přihlásit, přihlaste se, přihlášení, přihlašovací, uživatelské jméno, uživatelské heslo, heslo
      přístupový kód, přístupové údaje, ověřovací kód, kód voucheru, poukaz, registrovat se, zaregistrujte
      registrace uživatele, vytvořit účet, číslo pokoje, telefonní číslo, autentiz, ověření totožnosti
    cs network: bezdrátov, síť pro hosty, hostovská síť, přístup k internetu, přístup na internet
      přístupu k internetu, připojení k internetu, připojit se, připojte se, připojit k, surfovat, název sítě
      klíč sítě, dostupné sítě, vyberte síť, zvolte síť, internet zdarma, zbývající čas, přístupový bod
    cs terms: podmínky použití, podmínky užívání, podmínky používání, obchodní podmínky, všeobecné podmínky
      souhlasím, souhlasíte, přijímám, přijmout podmínky, pokračovat na internet, kliknutím, přečetl
    cs blocked: přístup odepřen, přístup byl odepřen, přístup zakázán, přístup blokován, přístup byl zablokován
      přístup omezen, přístup zamítnut, přístup na tuto, přístup na stránku, přístup k této, přístup ke stránce
      odepřen, zablokov, blokov, zakázan, zakázán, nepovolen, není povolen, nemáte oprávnění, filtr obsahu
      filtrov, cenzur, černá listina, není ve vaší zemi
    cs content: nelegáln, nezákonn, protiprávn, zákon, soudní, rozhodnutí soudu, ministerstvo, úřad, policie
      pornogra, hazard, sázk, sázen, škodliv, nebezpečn, podvodn, rodičovsk, kategorie, porušuje zásady, bezpečnostní politik
      autorsk, nevhodn, terror, starší 18, plnolet, správce systému, správce sítě, správcem sítě
    cs failure: nenalezen, nebyla nalezena, nebyl nalezen, nelze nalézt, neexistuje, nedostupn, není dostupn, údržb
      chyba serveru, vnitřní chyba, interní chyba, došlo k chybě, nastala chyba, zkuste to později
      zkuste to znovu, opakujte později, vypršel, odstávka
    sk login: prihlásiť, prihláste sa, prihlásenie, prihlasovac, používateľské meno, užívateľské meno, heslo
      prístupový kód, overovací kód, poukaz, zaregistruj, registrovať sa, vytvoriť účet, číslo izby
      telefónne číslo
    sk network: bezdrôtov, sieť pre hostí, prístup na internet, prístup k internetu, pripojenie k internetu
      pripojiť sa, pripojte sa, pripojiť k, názov siete, kľúč siete, dostupné siete, vyberte sieť
      internet zadarmo, zostávajúci čas, surfovať
    sk terms: podmienky používania, podmienky použitia, obchodné podmienky, súhlasím, prijímam, pokračovať na
      kliknutím
    sk blocked: prístup zamietnutý, prístup odmietnutý, prístup zakázaný, prístup bol, prístup zablokovan
      prístup na túto, prístup na stránku, prístup k tejto, zablokovan, blokovan, zakázan, nepovolen
      nie je povolen, filter obsahu, cenzúr, nie je vo vašej krajine
    sk content: nelegáln, nezákonn, protiprávn, súdne, rozhodnutie súdu, súdu, ministerstvo, úrad, polícia, pornogra
      hazard, stávk, škodliv, nebezpečn, podvodn, rodičovsk, kategória, bezpečnostn, autorsk, nevhodn, správca siete
    sk failure: nenájden, nebola nájdená, sa nenašl, neexistuje, nedostupn, údržb, chyba servera, vnútorná chyba
      vyskytla sa chyba, nastala chyba, skúste to neskôr, skúste neskôr, skúste znova, odstávka
    """

  /// Slovene, Croatian, Bosnian, Serbian in both scripts, Macedonian, Bulgarian.
  static let southSlavic = """
    sl login: prijava, prijavite se, prijavi se, prijaviti, uporabniško ime, geslo, koda za dostop, dostopna koda
      potrditvena koda, registracija uporabnika, registrirajte se, ustvari račun, ustvarite račun, številka sobe
      telefonska številka, kupon
    sl network: brezžič, omrežje za goste, dostop do interneta, dostop do spleta, povežite se, poveži se
      povezava z internetom, ime omrežja, ključ omrežja, razpoložljiva omrežja, izberite omrežje
      brezplačni internet, preostali čas, dostopna točka, brskati
    sl terms: pogoji uporabe, pogoje uporabe, splošni pogoji, strinjam se, se strinjam, sprejmem, sprejemam
      nadaljuj na
    sl blocked: dostop zavrnjen, dostop je zavrnjen, dostop prepovedan, dostop blokiran, dostop onemogočen
      dostop do te, dostop do strani, dostop omejen, blokiran, prepovedan, onemogočen, ni dovoljen, vsebinski filter
      cenzur, ni na voljo v vaši državi
    sl content: nezakonit, protizakonit, odločb, sodišč, odredb, ministrstvo, urad za, uprava, pornogra
      igre na srečo, stave, zlonamern, škodljiv, nevaren, nevarn, starševski nadzor, kategorija, pravilnik
      avtorsk, neprimern, skrbnik, upravitelj
    sl failure: ni bilo mogoče najti, ni najden, stran ne obstaja, ne obstaja, ni na voljo, vzdrževan
      napaka strežnika, prišlo je do napake, poskusite znova, poskusite pozneje, poskusite kasneje, časovna omejitev
    hr login: prijavite se, prijavi se, prijaviti se, prijava korisnika, korisničko ime, korisnik., lozinka, lozinku
      zaporka, zaporku, šifra za pristup, pristupni kod, kod za pristup, verifikacijski kod, registrirajte se
      registrujte se, registracija, kreiraj račun, otvorite račun, kreirajte nalog, napravite nalog, broj sobe
      broj telefona, broj mobitela, vaučer, autentifikacij, ulogujte se, uloguj se
    hr network: bežičn, mreža za goste, gostinsk, pristup internetu, pristupa internetu, pristup mreži
      povežite se, poveži se, spojite se, spoji se, povezivanje na, ime mreže, naziv mreže, ključ mreže
      dostupne mreže, odaberite mrežu, izaberite mrežu, besplatan internet, besplatni internet
      preostalo vrijeme, preostalo vreme, pristupna točka, pristupna tačka, surfanje, surfovanje
    hr terms: uvjeti korištenja, uvjete korištenja, uslovi korišćenja, uslovi korištenja, uslove korišćenja
      uslove korištenja, opći uvjeti, opšti uslovi, prihvaćam, prihvatam, prihvati, prihvatite, slažem se
      saglasan sam, suglasan, nastavi na, nastavite na, klikom na
    hr blocked: pristup odbijen, pristup zabranjen, pristup blokiran, pristup onemogućen, pristup je
      pristup ograničen, pristup ovoj, pristup stranici, pristup sajtu, pristup sadržaju, blokiran, blokad
      zabranjen, onemogućen, nije dozvoljen, nije dopušten, nedozvoljen, filter sadržaja, filtriran, cenzur
      nije dostupan u vašoj, nije dostupna u vašoj
    hr content: nezakonit, protuzakonit, ilegaln, sudsk, sudu, rješenj, rešenj, zakonom, zakona, nadležn, ministarstv
      agencij, uprave, pornogra, kockanj, klađenj, igre na sreću, igara na sreću, zlonamjern, zlonamern, štetn
      opasn, roditeljsk, kategorija, politika sigurnosti, politika bezbednosti, autorsk, neprimjeren, neprimeren
      terori, punoljet, punolet, maloljetn, maloletn, administrator mreže, administratora
    hr failure: nije pronađen, nije nađen, ne postoji, nije dostupan, nije dostupna, nedostupn, održavanj
      greška servera, greška na serveru, pogreška poslužitelja, pogreška na poslužitelju, došlo je do greške
      došlo je do pogreške, pokušajte ponovo, pokušajte ponovno, pokušajte kasnije, isteklo
    sr login: пријавите се, пријави се, пријава корисника, корисничко име, лозинка, лозинку, шифра за приступ
      приступни код, код за приступ, региструјте се, направите налог, отворите налог, број телефона, број собе
      ваучер, улогујте се
    sr network: бежичн, мрежа за госте, приступ интернету, приступ мрежи, повежите се, повежи се, назив мреже
      име мреже, доступне мреже, изаберите мрежу, бесплатан интернет, преостало време, вај фај, вајфај
    sr terms: услови коришћења, услове коришћења, општи услови, прихватам, прихвати, слажем се, сагласан
    sr blocked: приступ одбијен, приступ забрањен, приступ блокиран, приступ онемогућен, приступ је
      приступ ограничен, приступ овој, приступ страници, приступ сајту, блокиран, забрањен, онемогућен
      није дозвољен, недозвољен, цензур
    sr content: незаконит, нелегалн, илегалн, судск, решење, решењ, законом, надлежн, министарств, управа за
      порногра, коцкањ, клађење, игре на срећу, игара на срећу, злонамерн, штетн, опасн, родитељск, категорија
      ауторск, непримерен
    sr failure: није пронађен, не постоји, није доступн, недоступн, одржавање, грешка сервера, дошло је до грешке
      покушајте поново, покушајте касније
    mk login: најава, најавете се, најави се, корисничко име, лозинка, код за пристап, регистрирајте се
      регистрација на корисник, телефонски број, број на соба, ваучер
    mk network: безжичн, пристап до интернет, пристап до мрежа, поврзете се, поврзи се, гостинска мрежа
      име на мрежа, достапни мрежи, бесплатен интернет
    mk terms: услови за користење, услови на користење, прифаќам, прифати, се согласувам, согласен сум
    mk blocked: пристапот е, пристап одбиен, пристап забранет, пристап блокиран, пристап до оваа, блокиран
      забранет, оневозможен, не е дозволен, цензур
    mk content: незаконск, нелегалн, судск, одлука, министерство, агенција, порногра, коцкање, игри на среќа
      обложување, злонамерн, штетн, опасн, родителск, категорија, авторск, несоодветн
    mk failure: не е пронајден, не постои, недостапн, не е достапн, одржување, настана грешка, грешка на серверот
      обидете се, пробајте повторно
    bg login: влезте, вход в системата, вписване, впишете се, потребителско име, парола, код за достъп
      код за потвърждение, регистрирайте се, регистрация на потребител, създай акаунт, създайте акаунт
      номер на стая, телефонен номер, ваучер, удостоверяване
    bg network: безжичн, достъп до интернет, достъп до мрежата, свържете се с интернет, свързване с, свържи се
      мрежа за гости, име на мрежата, ключ за мрежата, налични мрежи, изберете мрежа, безплатен интернет
      оставащо време, сърфира, уай фай
    bg terms: условия за ползване, условия за използване, общи условия, общите условия, приемам, съгласен съм
      съгласявам се, приеми, продължи към
    bg blocked: достъпът е, достъпът до, отказан достъп, достъп отказан, достъпът забранен, достъп забранен
      ограничен достъп, достъпът ограничен, блокиран, блокиране, забранен, не е разрешен, неразрешен
      филтър на съдържанието, цензур, не е достъпен във вашата
    bg content: незакон, нелегалн, съдебн, съдът, решение на, разпореждане, закон, министерство, комисия
      агенция, порногра, хазарт, залагания, залози, злонамер, зловреден, вреден, опасн, родителски контрол
      категория, политика за сигурност, авторск, неподходящ, терори, администратор
    bg failure: не е намерен, не беше намерен, не съществува, недостъп, не е достъпн, поддръжка, грешка на сървъра
      вътрешна грешка, възникна грешка, опитайте отново, опитайте по късно, профилактика
    """
}
