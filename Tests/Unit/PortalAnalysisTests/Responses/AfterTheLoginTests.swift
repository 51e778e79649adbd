import PortalAnalysis
import ProbeCore
import Testing

/// Pages with the words of a portal but without a login for guests, such as those after the login and those
/// for a device's owner.
@Suite struct AfterTheLoginTests {
  @Test(arguments: [
    ("en", "Hotspot status", "You are logged in. Time left: 2h. Log out"),
    ("en", "Goodbye", "You have logged out of the Wi-Fi."),
    ("de", "WLAN", "Sie sind jetzt angemeldet. Verbleibende Zeit: 2 Stunden. Abmelden"),
    ("fr", "Wi-Fi de l’hôtel", "Connexion réussie. Temps restant : 2 h. Déconnexion"),
    ("es", "Portal Wi-Fi", "Ya tiene acceso a internet. Cerrar sesión"),
    ("pt", "Hotspot", "Você está conectado! Tempo restante: 2h. Desconectar"),
    ("it", "Rete ospiti", "Sei connesso. Tempo residuo: 2 ore. Disconnetti"),
    ("nl", "Gastnetwerk", "U bent ingelogd. Resterende tijd: 2 uur. Uitloggen"),
    ("pl", "Hotspot", "Jesteś zalogowany. Pozostały czas: 2 h. Wyloguj"),
    ("cs", "Hotspot", "Jste přihlášen. Zbývající čas: 2 h. Odhlásit"),
    ("hu", "Hotspot", "Sikeres bejelentkezés. Hátralévő idő: 2 óra. Kijelentkezés"),
    ("ru", "Гостевой Wi-Fi", "Вы подключены. Осталось времени: 2 часа. Выйти"),
    ("uk", "Гостьовий Wi-Fi", "Ви підключені. Залишилось часу: 2 год. Вийти"),
    ("tr", "Misafir ağı", "Giriş başarılı. Kalan süre: 2 saat. Çıkış yap"),
    ("ar", "شبكة الضيوف", "تم تسجيل الدخول. الوقت المتبقي: ساعتان. تسجيل الخروج"),
    ("fa", "وضعیت اتصال اینترنت", "زمان باقی‌مانده: ۲ ساعت. خروج"),
    ("id", "Login Sukses", "LOGIN BERHASIL. Sisa waktu: 2 jam. Keluar"),
    ("vi", "Wi-Fi khách", "Đăng nhập thành công. Thời gian còn lại: 2 giờ. Đăng xuất"),
    ("th", "Wi-Fi", "เข้าสู่ระบบสำเร็จ เวลาคงเหลือ 2 ชั่วโมง ออกจากระบบ"),
    ("zh", "认证成功", "免费无线网络。剩余时间 2 小时。注销"),
    ("ja", "ゲストWi-Fi", "接続しました。残り時間 2 時間。ログアウト"),
    ("ko", "게스트 와이파이", "로그인되었습니다. 남은 시간 2시간. 로그아웃"),
  ])
  func aStatusPageIsNotALogin(_ language: String, _ title: String, _ text: String) throws {
    let page = "<title>\(title)</title><h1>\(title)</h1><p>\(text)</p>"
    let analysis = try TestResponse(page).analysis()
    #expect(analysis.kind.role == .admitted, "\(analysis.signs.map(\.words))")
    #expect(analysis.portal == nil)
    // A page with login fields is a login page, whatever its other text.
    let login = page + "<form method=post><input name=username><input type=password name=password></form>"
    #expect(try TestResponse(login).analysis().kind.role == .portal)
  }

  @Test func aLogoutFormIsNotALogin() throws {
    let page = """
      <title>Internet hotspot - Status</title><p>Hi, guest! 1.2 MiB / 9.8 MiB</p>
      <form action="http://10.5.50.1/logout"><input type=submit value="Log out"></form>
      """
    #expect(try TestResponse(page).analysis().kind == .loggedIn)
  }

  @Test(arguments: [
    "http://10.5.50.1/logout", "http://10.5.50.1/Logout.html?erase-cookie=on", "http://wifi.example/signout",
    "http://wifi.example/disconnect",
  ])
  func aLogoutURLIsNotALoginURL(_ url: String) throws {
    let page = """
      <p>Welcome to our Wi-Fi. Please log in with your voucher.</p><a href="\(url)">Log in</a>
      <form action="http://10.5.50.1/enter"><input name=voucher><button>Log in</button></form>
      """
    #expect(try TestResponse(page).login() == "form http://10.5.50.1/enter")
  }

  @Test func aLoginFormTakesPrecedenceOverAnUnrelatedButton() throws {
    let page = """
      <p>Log in with your voucher.</p><button onclick="location = 'https://scanner.example/qr'">QR code</button>
      <form action="http://10.5.50.1/login"><input name=username><input type=password name=password></form>
      """
    #expect(try TestResponse(page).login() == "form http://10.5.50.1/login")
  }

  @Test(arguments: [
    ("RouterOS router configuration page", "You have connected to a router. Administrative access only."),
    ("Smart Switch", "Web management interface. Firmware version 2.1"),
    ("IPCAM", "Please enter your user name."), ("Pi-hole", "Password required"),
    ("Heimnetz", "Routerverwaltung: Melden Sie sich mit dem Administrator-Passwort an."),
    ("Box", "Interface d’administration: mot de passe administrateur"),
    ("Módem", "Panel de administración. Configuración del router"),
    ("Роутер", "Панель управления роутером. Введите пароль администратора"),
    ("路由器登录", "请输入管理员密码"), ("ルーター設定", "管理者パスワードを入力してください"),
  ])
  func deviceLoginsAreNotPortals(_ title: String, _ text: String) throws {
    let form = "<form method=post action=/x><input type=password name=password><button>OK</button></form>"
    let analysis = try TestResponse("<title>\(title)</title><p>\(text)</p>\(form)").analysis()
    #expect(analysis.kind == .deviceAdmin, "\(analysis.signs.map(\.words))")
    // A page for guests has terms.
    let portal = "<title>\(title)</title><p>\(text). By connecting you accept our terms of use.</p>\(form)"
    #expect(try TestResponse(portal).analysis().kind.role == .portal)
  }

  @Test(arguments: ["/cgi-bin/luci", "/webfig/", "/userRpm/LoginRpm.htm", "/Main_Login.asp"])
  func deviceAdministrationPathsAreRecognized(_ path: String) throws {
    let page = """
      <title>Login</title><form method=post action="\(path)"><input type=password name=password></form>
      """
    #expect(try TestResponse(page).analysis().kind == .deviceAdmin)
  }

  @Test func helpThatMentionsTheEndOfASessionIsNotASessionPage() throws {
    let page = """
      <title>Wi-Fi</title><p>Later you can see the time left and log out here.</p>
      <form method=post action=/accept><button>I accept</button></form>
      """
    #expect(try TestResponse(page).analysis().kind.role == .portal)
  }

  @Test func aRedirectToDeviceAdministrationIsNotAPortal() throws {
    let response = TestResponse(status: 302, fields: [("Location", "http://192.168.1.1/cgi-bin/luci")])
    #expect(try response.analysis().kind == .deviceAdmin)
  }

  @Test(arguments: [
    "http://internetpositif.provider.example/", "http://blocked.provider.example/?username=a&ip=192.0.2.1",
    "http://filter.example/cgi-bin/block_message.cgi?session=1", "http://surfsafely.provider.example/",
  ])
  func aBlockPageAddressOutweighsItsFields(_ url: String) throws {
    #expect(try TestResponse(status: 302, fields: [("Location", url)]).analysis().kind == .blockPage)
  }

  @Test(arguments: ["http://dnserrorassist.provider.example/?u=probe.example", "http://parking.example/"])
  func aProvidersHelpPageIsNotALogin(_ url: String) throws {
    let page = "<script>window.location = '\(url)'</script>"
    #expect(try TestResponse(page).analysis().kind != .login)
  }

  @Test func anAuthenticatingProxyIsNotALogin() throws {
    let response = TestResponse("<p>Please login with username and password.</p>", status: 407)
    #expect(try response.analysis().kind != .login)
  }

  @Test func anErrorPageThatLinksToTheLoginIsALogin() throws {
    let page = "<p>Oops, something went wrong.</p><a href=http://10.5.50.1/login>Back to the portal</a>"
    #expect(try TestResponse(page).login() == "link http://10.5.50.1/login")
  }
}
