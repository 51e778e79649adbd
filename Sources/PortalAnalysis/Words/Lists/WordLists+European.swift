extension WordLists {
  /// Lithuanian, Latvian.
  static let baltic = """
    lt login: prisijungti, prisijunkite, prisijungimas, prisijungimo, vartotojo vardas, naudotojo vardas
      slaptažodis, slaptažodį, prieigos kodas, prieigos kodą, patvirtinimo kodas, registruotis, užsiregistruo
      užsiregistruok, sukurti paskyrą, telefono numeris, kambario numeris, kuponas, autentifik
    lt network: belaid, svečių tinklas, interneto prieiga, prieiga prie interneto, prisijungti prie interneto
      prisijunkite prie tinklo, jungtis prie, tinklo pavadinimas, tinklo raktas, galimi tinklai
      pasirinkite tinklą, nemokamas internetas, likęs laikas, naršyti
    lt terms: naudojimo sąlygos, naudojimosi sąlygos, naudojimosi taisyklės, sutinku, sąlygomis, priimti sąlygas
      tęsti
    lt blocked: prieiga uždrausta, prieiga apribota, prieiga užblokuota, prieiga blokuojama, prieiga prie šio
      prieiga prie svetainės, priėjimas uždraustas, užblokuot, blokuojam, blokavimas, uždraust, draudžiam
      neleidžiam, turinio filtras, cenzūr, prieinama jūsų šalyje
    lt content: neteisėt, nelegal, teismo, sprendim, nurodym, įstatym, tarnyb, ministerij, priežiūros, pornogra
      azartin, lošim, lažyb, kenkėjišk, pavojing, žaling, tėvų kontrol, kategorij, saugumo politik, autorių teis
      netinkam, administratori
    lt failure: nerast, puslapis nerastas, neegzistuoja, nepasiekiam, neprieinam, techniniai darbai
      serverio klaida, vidinė klaida, įvyko klaida, bandykite vėliau, pabandykite vėliau, bandykite dar kartą
    lv login: pieteikties, piesakieties, pierakstīties, pierakstieties, ielogoties, ieejiet, lietotājvārds, parole
      paroli, piekļuves kods, piekļuves kodu, apstiprinājuma kods, reģistrēties, reģistrējieties, izveidot kontu
      tālruņa numurs, istabas numurs, kupon, autentifik
    lv network: bezvadu, viesu tīkls, interneta piekļuve, piekļuve internetam, piekļuvi internetam
      savienot ar, pieslēgties internetam, pieslēgties tīklam, izveidot savienojumu, tīkla nosaukums
      pieejamie tīkli, izvēlieties tīklu, bezmaksas internets, atlikušais laiks
    lv terms: lietošanas noteikumi, lietošanas noteikumiem, lietošanas nosacījumi, piekrītu, es piekrītu, pieņemt
      turpināt
    lv blocked: piekļuve liegta, piekļuve aizliegta, piekļuve bloķēta, piekļuve ierobežota, piekļuve šai
      piekļuve vietnei, liegta piekļuve, bloķēt, bloķēšan, aizliegt, nav atļaut, satura filtrs, cenzūr
    lv content: nelikumīg, nelegāl, tiesas, lēmum, likum, inspekcij, ministrij, iestād, pornogrā, azartspē
      derīb, ļaunprātīg, kaitīg, bīstam, vecāku kontrol, kategorij, autortiesīb, nepiemērot, administrator
    lv failure: nav atrast, lapa nav atrasta, neeksistē, nav pieejam, apkopes, apkope, servera kļūda
      radās kļūda, notika kļūda, mēģiniet vēlāk, mēģiniet vēlreiz
    """

  /// Estonian, Finnish, Hungarian.
  static let uralic = """
    et login: logi sisse, sisselogimi, sisene, kasutajanimi, parool, salasõna, ligipääsukood, pääsukood
      kinnituskood, registreeru, loo konto, telefoninumber, toanumber, autenti
    et network: traadita, külalisvõrk, juurdepääs internetile, ligipääs internetile, internetiühendus
      interneti ligipääs, ühenda, ühendu, võrgu nimi, võrguvõti, saadaolevad võrgud, vali võrk, tasuta internet
      järelejäänud aeg
    et terms: kasutustingimus, tingimustega, nõustun, olen nõus, aktsepteeri, jätka
    et blocked: juurdepääs keelatud, ligipääs keelatud, juurdepääs blokeeritud, ligipääs blokeeritud
      juurdepääs piiratud, ligipääs piiratud, juurdepääs sellele, ligipääs sellele, blokeeri, keelatud, tõkestat
      pole lubatud, ei ole lubatud, sisufilter, tsensuur
    et content: ebaseadus, illegaal, kohtu, seadus, amet., ettekirjutus, ministeerium, pornogra, hasartmäng
      kihlved, pahavara, kahjulik, ohtlik, vanemakontroll, kategooria, autoriõigus, sobimat, administraator
    et failure: ei leitud, lehte ei leitud, ei eksisteeri, pole saadaval, ei ole saadaval, hooldus, serveri viga
      tekkis viga, ilmnes viga, proovi hiljem, proovige hiljem, proovi uuesti, proovige uuesti
    fi login: kirjaudu, sisäänkirjau, kirjautumi, käyttäjätunnus, käyttäjänimi, salasana, pääsykoodi
      vahvistuskoodi, rekisteröidy, luo tili, puhelinnumero, huoneen numero, huonenumero, lahjakortti, todennus
      tunnistaudu
    fi network: langaton, langattom, vierasverkko, vierailijaverkko, internet yhtey, internetyhte, yhdistä verkkoon
      yhdistä interneti, muodosta yhteys, pääsy internetiin, verkon nimi, verkkoavain, käytettävissä olevat verk
      valitse verkko, ilmainen internet, jäljellä oleva aika, selaamaan
    fi terms: käyttöehdot, käyttöehtoja, ehdot., hyväksyn, hyväksy, jatka internetiin, jatka tästä
    fi blocked: pääsy estetty, pääsy kielletty, pääsy evätty, pääsy on estetty, pääsy tälle, käyttö estetty, estetty
      estolista, estosivu, kielletty, ei ole sallittu, ei sallittu, sisällönsuodat, suodatettu, sensuuri
      ei ole saatavilla maassasi
    fi content: laiton, laittom, tuomioistui, käräjäoikeu, markkinaoikeu, oikeuden määräy, viranomai, poliisi
      ministeriö, pornogra, uhkapeli, rahapeli, haittaohjelm, haitalli, vaarallinen, lapsilukko, luokka., kategoria
      tekijänoikeu, sopimat, ikäraja, käytännön, ylläpitäjä, järjestelmänvalvoja
    fi failure: ei löydy, ei löytynyt, sivua ei löytynyt, ei ole olemassa, ei ole käytettävissä, huoltokatko, huolto.
      palvelinvirhe, sisäinen virhe, tapahtui virhe, yritä myöhemmin, yritä uudelleen, aikakatkaisu
    hu login: bejelentkez, jelentkezzen be, jelentkezz be, belépés, lépjen be, lépj be, felhasználónév
      felhasználói név, jelszó, jelszava, hozzáférési kód, belépőkód, megerősítő kód, regisztrál, fiók létrehozása
      telefonszám, szobaszám, kupon, hitelesít, azonosító
    hu network: vezeték nélküli, vendéghálózat, vendég hálózat, internet hozzáférés, internethozzáférés
      internetelérés, internetkapcsolat, csatlakozzon, csatlakozás, csatlakozz, kapcsolódás, kapcsolódjon
      hálózat neve, hálózati kulcs, elérhető hálózatok, válasszon hálózatot, ingyenes internet, hátralévő idő
      hozzáférési pont, internetezés, böngészés
    hu terms: felhasználási feltétel, használati feltétel, általános szerződési, aszf, elfogadom, elfogadja
      egyetértek, hozzájárulok, tovább az internetre, kattintva, megismertem
    hu blocked: hozzáférés megtagad, hozzáférés letilt, hozzáférés korlátoz, hozzáférés tiltott, hozzáférés ehhez
      hozzáférés blokkol, hozzáférés a kért, elérés megtagad, letilt, tiltott, tiltva, tiltás, blokkol, zárolt
      nem engedélyezett, tartalomszűr, szűrve, cenzúr, nem érhető el az ön országában
    hu content: törvénytelen, jogellenes, jogsértő, illegális, bíróság, végzés, határozat, törvény, hatóság
      miniszter, pornogr, szerencsejáték, fogadás, kártékony, kártevő, rosszindulatú, káros, veszélyes, adathalász
      szülői, kategória, szabályzat, szerzői jog, nem megfelelő, felnőtt, rendszergazda
    hu failure: nem található, az oldal nem, nem létezik, nem elérhető, nem érhető el., karbantartás, szerverhiba
      kiszolgálóhiba, belső hiba, hiba történt, próbálja újra, próbálja meg később, próbálkozzon később, időtúllép
    """

  /// Greek, Albanian, Maltese.
  static let balkan = """
    el login: σύνδεση χρήστη, συνδεθείτε, είσοδος, είσοδο, εισέλθετε, όνομα χρήστη, κωδικός πρόσβασης
      κωδικό πρόσβασης, κωδικός., κωδικό., συνθηματικό, κωδικός επιβεβαίωσης, κουπόνι, εγγραφή, εγγραφείτε
      δημιουργία λογαριασμού, αριθμός τηλεφώνου, αριθμός δωματίου, κινητό τηλέφωνο, ταυτοποίηση
      πιστοποίηση χρήστη, αυθεντικοποίηση
    el network: ασύρματ, δίκτυο επισκεπτών, δίκτυο φιλοξενουμένων, πρόσβαση στο διαδίκτυο, πρόσβαση στο ίντερνετ
      πρόσβαση στο internet, σύνδεση στο διαδίκτυο, σύνδεση στο internet, σύνδεση στο δίκτυο, συνδεθείτε στο
      όνομα δικτύου, κλειδί δικτύου, διαθέσιμα δίκτυα, επιλέξτε δίκτυο, δωρεάν internet, δωρεάν ίντερνετ
      υπόλοιπος χρόνος, περιήγηση στο, σημείο πρόσβασης
    el terms: όροι χρήσης, όρους χρήσης, όροι και προϋποθέσεις, όρους και προϋποθέσεις, αποδέχομαι, αποδοχή
      συμφωνώ, συνέχεια στο
    el blocked: πρόσβαση απαγορεύεται, η πρόσβαση δεν, δεν επιτρέπεται, απαγορεύεται, απαγορευμέν, απαγόρευση
      άρνηση πρόσβασης, δεν έχετε πρόσβαση, πρόσβαση σε αυτή, πρόσβαση στην ιστοσελίδα, πρόσβαση στον ιστότοπο
      πρόσβαση στη σελίδα, αποκλεισ, αποκλείστηκε, έχει αποκλειστεί, μπλοκαρ, περιορισμός πρόσβασης
      διακοπή πρόσβασης, διακοπή της πρόσβασης, φίλτρο περιεχομένου, φιλτράρ, λογοκρι
      δεν είναι διαθέσιμη στη χώρα
    el content: παράνομ, δικαστικ, δικαστήρι, απόφαση, απόφασης, νόμο, νομοθεσία, αρχή., επιτροπή, υπουργείο, πορνογρ
      τυχερά παιχνίδια, τυχερών, στοίχημα, στοιχήμα, κακόβουλ, επιβλαβ, επικίνδυν, γονικός έλεγχος, γονικού
      κατηγορία, πολιτική ασφαλείας, πνευματικ, ακατάλληλ, ενηλίκ, ανηλίκ, διαχειριστή
    el failure: δεν βρέθηκε, δε βρέθηκε, δεν υπάρχει, μη διαθέσιμ, δεν είναι διαθέσιμ, συντήρηση, σφάλμα διακομιστή
      εσωτερικό σφάλμα, παρουσιάστηκε σφάλμα, προέκυψε σφάλμα, προσπαθήστε ξανά, δοκιμάστε ξανά, αργότερα
      λήξη χρονικού
    sq login: hyni., hyr në, identifikohu, identifikohuni, emri i përdoruesit, fjalëkalim, kodi i hyrjes, kodi i qasjes
      regjistrohu, regjistrohuni, krijo llogari, numri i telefonit
    sq network: rrjeti pa tel, pa tela, qasje në internet, akses në internet, lidhu me, lidhuni me, emri i rrjetit
      rrjetet e disponueshme, internet falas
    sq terms: kushtet e përdorimit, termat dhe kushtet, pranoj, pajtohem, jam dakord, vazhdo në
    sq blocked: qasja u refuzua, qasja është, aksesi u refuzua, aksesi është, ndaluar, e bllokuar, bllokuar, bllokim
      ndalohet, nuk lejohet, kufizuar
    sq content: paligjsh, ilegal, gjykat, vendim, autoritet, ministria, pornogra, bixhoz, lojëra të fatit, baste
      dëmshëm, rrezikshëm, kategoria, papërshtatsh
    sq failure: nuk u gjet, nuk ekziston, nuk është i disponueshëm, mirëmbajtje, ndodhi një gabim
      gabim i serverit, provoni përsëri, provoni më vonë
    mt login: idħol, isem l utent, kodiċi ta aċċess, irreġistra
    mt terms: termini u kundizzjonijiet, naċċetta, naqbel
    mt blocked: aċċess miċħud, aċċess imblukkat, imblukkat, projbit
    """
}
