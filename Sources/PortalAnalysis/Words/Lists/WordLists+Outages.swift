extension WordLists {
  /// No connection, a bill that is open, a domain without a page: the same few things in many languages.
  ///
  /// That somebody is not connected is said by portals as well as by routers without a line, and so speaks for neither:
  /// all it does is to keep the words of the network in it from being seen. Cookies are agreed to on any site.
  static let outages = """
    en none: not connected to the internet, not connected, isn t connected, no connection to the internet
      cannot connect to
      can t connect to, could not connect to the internet, couldn t connect to
      unable to connect to the internet
      failed to connect, not have internet access, no internet access, without internet access
      lost connection, no access to the internet, accept all, accept cookies, accept cookie
      accept additional cookies
    en failure: check the cable, check your cable, cable connection, cable is plugged, network cable
      ethernet cable, line is down
      restart your modem, restart the modem, restart your router, restart the router, reboot your router
      sim card
      no internet., check your network connection, check your internet connection, is for sale
      may be for sale
      register your domain, domain name registration, domain has been registered, domain is registered
      domain has expired, domain name has expired, this domain., this domain name
    en blocked: past due, non payment, nonpayment, late payment, pay your bill, pay the bill
      outstanding balance
      outstanding bill, restore your service, not accessible, prohibited for viewership
      temporarily disconnected
      subscription has expired, service has been temporarily, violates network policy
    de none: alle akzeptieren, alle cookies, cookies akzeptieren, nicht mit dem internet verb, nicht verbunden
    de failure: keine internetverbindung, keine verbindung zum internet, keine internet verbindung
      kein internet
      internetverbindung konnte nicht, prüfen sie das kabel, dsl kabel, netzwerkkabel, sim karte
      domain steht zum verkauf, diese domain, domain wurde registriert, domain ist registriert
    de blocked: zahlungsrückstand, offene rechnung, unbezahlte rechnung, rechnung begleichen
    nl failure: geen internetverbinding, geen verbinding met internet, geen internet, deze domeinnaam
      domein is te koop
    nl blocked: betalingsachterstand, openstaande factuur
    sv failure: ingen internetanslutning, ingen anslutning till internet, domänen är registrerad, denna domän
    da failure: ingen internetforbindelse, intet internet, dette domæne
    nb failure: ingen internettforbindelse, ingen internettilkobling, dette domenet
    fi failure: ei internetyhteyttä, ei verkkoyhteyttä, tämä verkkotunnus
    fr none: tout accepter, accepter tout, accepter les cookies, accepter et fermer, pas connecté à internet, impossible de se connecter
    fr failure: pas de connexion internet, pas de connexion à internet, aucune connexion internet
      aucune connexion à internet
      vérifiez le câble, carte sim, ce domaine, ce nom de domaine, domaine est à vendre
    fr blocked: facture impayée, défaut de paiement, régler votre facture, service est suspendu
      service a été suspendu
      ligne suspendue
    es none: aceptar todo, aceptar todas, aceptar cookies, aceptar las cookies, no está conectado a, no se puede conectar
    es failure: sin conexión a internet, sin conexión, no hay conexión, sin internet, verifique el cable
      tarjeta sim
      este dominio, dominio ha sido registrado, dominio en venta, registra tu dominio, dominio registrado
    es blocked: falta de pago, pago pendiente, saldo pendiente, saldo vencido, factura pendiente
      suspendido, suspendida
      se encuentra suspendid, adeudo, reactivar su servicio, reconexión
    pt none: aceitar todos, aceitar tudo, aceitar cookies, não está conectado à, não foi possível conectar
    pt failure: sem conexão com a internet, sem conexão à internet, sem internet, sem ligação à internet
      cartão sim
      verifique o cabo, este domínio, domínio registrado, domínio à venda, domínio está à venda
    pt blocked: falta de pagamento, inadimpl, acesso à internet foi suspenso, suspenso, suspensa
      fatura em aberto
      fatura em atraso, regularize, débito em aberto, faturas pendentes
    it none: accetta tutti, accetta tutto, accetta i cookie, accettare i cookie, non connesso a, impossibile connettersi
    it failure: nessuna connessione a internet, nessuna connessione, connessione assente
      assenza di connessione
      controlla il cavo, questo dominio, dominio registrato, dominio in vendita, dominio è in vendita
    it blocked: mancato pagamento, fattura non pagata, insoluto, servizio sospeso, non è raggiungibile poiché
      sprovvist
    ro failure: fără conexiune la internet, nu există conexiune, acest domeniu
    pl failure: brak połączenia z internetem, brak internetu, sprawdź kabel, ta domena
      domena jest na sprzedaż
    pl blocked: zaległość, zaległe płatności, nieopłacon, brak płatności
    cs failure: není připojení k internetu, žádné připojení, bez připojení k internetu, tato doména
    cs blocked: nezaplacen, neuhrazen
    hu failure: nincs internetkapcsolat, ez a domain
    el failure: δεν υπάρχει σύνδεση, χωρίς σύνδεση
    tr none: internete bağlı değil
    tr failure: internet bağlantısı yok, internet bağlantınız yok, bağlantı yok, bu alan adı
    tr blocked: borcunuz nedeniyle, ödenmemiş fatura, fatura borcu, borçtan dolayı
    ru none: не подключен, не подключено
    ru failure: нет подключения к интернету, нет подключения, отсутствует подключение, нет соединения
      нет интернета
      нет доступа в интернет, проверьте кабель, сим карт, домен зарегистрирован, домен припаркован, этот домен
      домен продается
    ru blocked: недостаточно средств, приостановлен, задолженност, пополните баланс, пополните счет
      отрицательный баланс
      заблокирован за неуплату, неуплат
    uk failure: немає підключення, відсутнє підключення, немає з єднання, немає інтернету, цей домен
    uk blocked: недостатньо коштів, призупинено, заборгован, поповніть
    ar failure: لا يوجد اتصال, لا يوجد إنترنت, هذا النطاق
    fa failure: اتصال اینترنت برقرار نیست, عدم اتصال, این دامنه
    he failure: אין חיבור לאינטרנט, אין אינטרנט
    id failure: tidak ada koneksi, tidak ada internet, tidak terhubung ke internet, periksa kabel, domain ini
    id blocked: isolir, terisolir, diisolir, pembayaran tagihan, tagihan anda, tunggakan, belum lunas
      jatuh tempo
      belum dibayar, ditangguhkan
    ms blocked: tidak boleh diakses
    vi failure: không có kết nối, không có internet, tên miền này
    vi blocked: nợ cước, chưa thanh toán, tạm ngưng
    th failure: ไม่มีการเชื่อมต่อ, ไม่มีอินเทอร์เน็ต
    th blocked: ค้างชำระ
    ja failure: インターネットに接続されていません, 接続がありません, インターネットに接続できません, このドメイン
    ja blocked: 料金未納, 利用停止
    zh failure: 无法连接到互联网, 無法連線到網際網路, 没有网络连接, 沒有網路連線, 网络未连接, 未连接到互联网, 无网络连接, 域名出售, 该域名, 此網域
    zh blocked: 欠费, 欠費, 停机, 停止访问, 停止訪問
    ko failure: 인터넷에 연결되어 있지, 인터넷 연결이 없, 인터넷 연결 없음, 이 도메인
    ko blocked: 요금 미납, 이용 정지
    hi failure: इंटरनेट कनेक्शन नहीं
    """
}
