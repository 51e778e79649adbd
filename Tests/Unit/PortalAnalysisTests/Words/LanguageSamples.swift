/// A sentence of a portal and one of a block page, in each language that the vocabulary must cover.
enum LanguageSamples {
  static let all: [(language: String, portal: String, blockPage: String)] = [
    ("en", "Welcome! Sign in to use our free Wi-Fi.", "This website has been blocked by order of the court."),
    ("de", "Bitte melden Sie sich an, um das WLAN zu nutzen.", "Der Zugriff auf diese Seite wurde gesperrt."),
    (
      "fr", "Connectez-vous au réseau Wi-Fi de l’hôtel.",
      "L’accès à ce site est bloqué par décision de justice."
    ),
    ("es", "Inicie sesión para navegar por Internet.", "Acceso denegado: este sitio ha sido bloqueado."),
    (
      "it", "Accedi alla rete Wi-Fi con il tuo nome utente.",
      "Il sito è stato bloccato dall’autorità giudiziaria."
    ),
    ("pt", "Faça login para usar a rede sem fio.", "O acesso a este site foi bloqueado por ordem judicial."),
    (
      "nl", "Meld je aan met je wachtwoord voor gratis internet.",
      "De toegang tot deze website is geblokkeerd."
    ),
    ("da", "Indtast brugernavn og adgangskode for at gå online.", "Adgang nægtet: siden er blokeret."),
    ("sv", "Logga in på vårt gästnätverk.", "Sidan är spärrad av din nätoperatör."),
    ("no", "Logg inn med brukernavn og passord.", "Denne siden er blokkert etter rettskjennelse."),
    ("fi", "Kirjaudu sisään langattomaan verkkoon.", "Pääsy tälle sivustolle on estetty."),
    ("is", "Skráðu þig inn á þráðlausa netið.", "Aðgangi hafnað. Síðan er bönnuð, lokað fyrir aðgang."),
    ("et", "Logi sisse, et kasutada traadita internetti.", "Juurdepääs keelatud: leht on blokeeritud."),
    ("lv", "Piesakieties, lai lietotu bezvadu tīklu.", "Piekļuve šai vietnei ir bloķēta."),
    ("lt", "Prisijunkite prie belaidžio tinklo.", "Prieiga prie šios svetainės užblokuota."),
    ("pl", "Zaloguj się, aby korzystać z Internetu.", "Dostęp do tej strony został zablokowany."),
    ("cs", "Přihlaste se k bezdrátové síti.", "Přístup na tuto stránku byl zablokován."),
    ("sk", "Prihláste sa do bezdrôtovej siete.", "Prístup na túto stránku bol zablokovaný."),
    ("sl", "Prijavite se v brezžično omrežje.", "Dostop do te strani je onemogočen."),
    ("hr", "Prijavite se na bežičnu mrežu.", "Pristup ovoj stranici je zabranjen."),
    (
      "bs", "Unesite korisničko ime i lozinku za pristup internetu.",
      "Pristup stranici je blokiran po nalogu suda."
    ),
    (
      "sr-Latn", "Ulogujte se da biste koristili bežični internet.",
      "Pristup ovom sajtu je zabranjen, sajt je blokiran."
    ),
    ("sr", "Пријавите се на бежичну мрежу.", "Приступ овој страници је забрањен."),
    ("mk", "Најавете се со корисничко име и лозинка.", "Пристапот е забранет, страницата е блокирана."),
    ("bg", "Въведете потребителско име и парола за достъп до интернет.", "Достъпът до този сайт е блокиран."),
    ("ru", "Введите номер телефона, чтобы войти в интернет.", "Доступ к сайту ограничен по решению суда."),
    ("uk", "Увійдіть, щоб отримати доступ до інтернету.", "Доступ до цього сайту заблоковано."),
    ("be", "Увайдзіце, каб атрымаць доступ у інтэрнэт.", "Доступ да гэтага сайта абмежаваны."),
    ("ro", "Autentificați-vă pentru a avea acces la internet.", "Accesul la acest site a fost blocat."),
    (
      "hu", "Jelentkezzen be a vezeték nélküli hálózatba.", "A hozzáférés megtagadva, az oldal le van tiltva."
    ),
    ("el", "Συνδεθείτε στο ασύρματο δίκτυο.", "Η πρόσβαση στην ιστοσελίδα έχει αποκλειστεί."),
    ("sq", "Shkruani fjalëkalimin për qasje në internet.", "Qasja është e ndaluar, faqja është e bllokuar."),
    ("tr", "Kablosuz ağa bağlanmak için giriş yapın.", "Bu siteye erişim mahkeme kararıyla engellenmiştir."),
    ("az", "Simsiz internet üçün daxil olun.", "Bu sayta giriş məhduddur, sayt bloklanıb."),
    ("kk", "Сымсыз желіге кіру үшін құпиясөзді енгізіңіз.", "Бұл сайтқа қол жеткізу шектелген."),
    ("uz", "Simsiz tarmoqqa ulanish uchun parolni kiriting.", "Ushbu saytga kirish taqiqlangan."),
    ("mn", "Утасгүй сүлжээнд холбогдохын тулд нэвтрэх нэрээ оруулна уу.", "Энэ сайтад хандахыг хориглосон."),
    ("ka", "გთხოვთ, შედით უსადენო ქსელში.", "ამ საიტზე წვდომა შეზღუდულია."),
    ("hy", "Մուտքագրեք գաղտնաբառը՝ անլար ցանցին միանալու համար։", "Մուտքն արգելված է, կայքն արգելափակված է։"),
    ("ar", "الرجاء تسجيل الدخول لاستخدام الشبكة اللاسلكية", "عفواً، الموقع المطلوب محجوب لمخالفته القانون"),
    ("fa", "برای اتصال به اینترنت وارد شوید", "دسترسی به این سایت مسدود شده است"),
    ("he", "התחברו לרשת האלחוטית עם שם משתמש וסיסמה", "הגישה לאתר נחסמה על פי צו שיפוטי"),
    ("ur", "وائی فائی استعمال کرنے کے لیے پاس ورڈ درج کریں", "اس ویب سائٹ تک رسائی ممنوع ہے"),
    ("hi", "वाई-फाई का उपयोग करने के लिए लॉग इन करें।", "इस वेबसाइट को ब्लॉक कर दिया गया है।"),
    ("bn", "ওয়াই-ফাই ব্যবহার করতে লগ ইন করুন।", "এই সাইটটি ব্লক করা হয়েছে।"),
    ("ta", "வைஃபை பயன்படுத்த உள்நுழையவும்.", "இந்த இணையதளம் தடைசெய்யப்பட்டுள்ளது."),
    ("th", "กรุณาลงชื่อเข้าใช้เพื่อใช้งานอินเทอร์เน็ต", "เว็บไซต์นี้ถูกระงับการเผยแพร่ตามคำสั่งศาล"),
    ("lo", "ກະລຸນາເຂົ້າສູ່ລະບົບເພື່ອໃຊ້ອິນເຕີເນັດ", "ເວັບໄຊນີ້ຖືກປິດກັ້ນ"),
    ("my", "အင်တာနက်ချိတ်ဆက်ရန် စကားဝှက် ထည့်ပါ။", "ဤဝက်ဘ်ဆိုက်ကို ပိတ်ဆို့ထားသည်။"),
    ("km", "សូមបញ្ចូលពាក្យសម្ងាត់ដើម្បីភ្ជាប់អ៊ីនធឺណិត", "គេហទំព័រនេះត្រូវបានបិទ"),
    ("vi", "Vui lòng đăng nhập để truy cập Internet.", "Trang web này đã bị chặn."),
    ("id", "Silakan masuk dengan kata sandi untuk akses internet.", "Situs ini diblokir oleh pemerintah."),
    ("ms", "Sila log masuk untuk mendapatkan akses internet.", "Akses disekat: laman ini dilarang."),
    ("tl", "Mag-log in para sa libreng Wi-Fi.", "Ang website na ito ay ipinagbabawal at naka-block."),
    ("sw", "Weka nenosiri ili kutumia mtandao wa bure.", "Tovuti hii imezuiwa."),
    ("am", "ዋይፋይ ለመጠቀም የይለፍ ቃል ያስገቡ", "ይህ ድረ ገጽ ታግዷል"),
    ("ko", "인터넷에 접속하려면 로그인하세요.", "불법 사이트로 접속이 차단되었습니다."),
    ("ja", "無線LANをご利用になるにはログインしてください。", "このサイトへのアクセスは禁止されています。閲覧できません。"),
    ("zh-Hans", "请输入手机号和验证码，免费上网。", "您访问的网站已被拦截，含有违法信息。"),
    ("zh-Hant", "請輸入密碼以連線至免費無線網路。", "此網站已被封鎖，拒絕存取。"),
  ]
}
