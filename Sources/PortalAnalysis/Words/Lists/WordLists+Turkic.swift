extension WordLists {
  /// Turkish, Azerbaijani, Uzbek, Kazakh, Kyrgyz, Tatar, Mongolian.
  static let turkic = """
    tr login: giriş yap, oturum aç, oturumu aç, kullanıcı adı, kullanıcı girişi, kullanıcı kodu, şifre, parola
      erişim kodu, doğrulama kodu, onay kodu, sms kodu, kupon, kayıt ol, kaydol, üye ol, hesap oluştur, üyelik
      telefon numara, cep telefonu, oda numara, kimlik doğrula, tc kimlik, kimlik numara, giriş ekranı, sms ile
    tr network: kablosuz, misafir ağ, misafir internet, ücretsiz internet, internet erişimi sağla, internet erişimi için
      internete bağlan, internete eriş, internete gir, internet bağlantı, ağa bağlan, ağ adı, ağ anahtarı
      mevcut ağlar, kullanılabilir ağlar, ağ seçin, kalan süre, erişim noktası, bağlan., hizmet noktası
    tr terms: kullanım koşul, kullanım şart, hizmet şart, şartlar ve koşullar, şartları kabul, koşulları kabul
      kabul ediyorum, kabul et, onaylıyorum, okudum, okuyup, aydınlatma metni, devam et
    tr blocked: erişim engel, erişime engel, erişimi engel, erişim yasak, erişim reddedildi, erişim izni yok
      erişim kısıtla, erişime kapat, erişiminiz engel, bu siteye erişim, bu sayfaya erişim, bu internet sitesi
      engellen, engelli., engellendi, yasaklan, yasaklı, yasaktır, izin verilmiyor, kapatılmıştır, içerik filtre
      web filtre, filtrelen, sansür, kara liste, ülkenizde kullanılamıyor, ülkenizden erişil
    tr content: yasadışı, yasa dışı, mahkeme, kararı, kanun, savcılı, hakimliği, bilgi teknolojileri, bakanlı, kurumu
      kurulu, pornogra, müstehcen, kumar, bahis, zararlı, kötü amaçlı, tehlikeli, oltalama, güvenli internet
      ebeveyn, aile profili, çocuk profili, kategori, güvenlik politika, telif, uygunsuz, terör, yetişkin
      sistem yönetici, ağ yönetici, uyarınca, tedbir
    tr failure: bulunamadı, sayfa bulunamadı, mevcut değil, bulunmuyor, kullanılamıyor., bakım, sunucu hatası
      iç hata, bir hata oluştu, hata oluştu, tekrar deneyin, daha sonra, zaman aşımı, ulaşılamıyor, hizmet dışı
    az login: daxil ol, giriş et, istifadəçi adı, şifrə, parol, giriş kodu, təsdiq kodu, qeydiyyat, hesab yarat
      telefon nömrə, otaq nömrə
    az network: simsiz, qonaq şəbəkə, internetə çıxış, internetə qoşul, şəbəkəyə qoşul, qoşulun, şəbəkə adı
      mövcud şəbəkələr, pulsuz internet, qalan vaxt
    az terms: istifadə şərtləri, şərtləri qəbul, qəbul edirəm, razıyam, razılaşıram, davam et
    az blocked: giriş qadağan, giriş məhdud, girişə icazə, girişi məhdud, daxilolma məhdud, bloklan, bloklanıb
      qadağan, məhdudlaşdır, icazə verilmir
    az content: qanunsuz, qanunvericili, məhkəmə, qərar, nazirliyi, dövlət, pornoqraf, qumar, mərc, zərərli
      təhlükəli, kateqoriya, valideyn
    az failure: tapılmadı, səhifə tapılmadı, mövcud deyil, əlçatan deyil, texniki iş, server xətası, xəta baş verdi
      yenidən cəhd, sonra yenidən
    uz login: tizimga kir, kirish kodi, foydalanuvchi nomi, parol, ro yxatdan o t, telefon raqam, tasdiqlash kodi
      логин, паролни
    uz network: simsiz tarmoq, mehmon tarmog, internetga ulan, internetga kirish, tarmoqqa ulan, tarmoq nomi
      bepul internet, интернетга улан
    uz terms: foydalanish shartlari, roziman, qabul qilaman, shartlarni qabul
    uz blocked: kirish taqiqlangan, kirish cheklangan, ruxsat berilmagan, ruxsat etilmagan, bloklangan, taqiqlan
      cheklangan, тақиқланган, чекланган, блокланган
    uz content: noqonuniy, qonun, sud qarori, vazirligi, pornografi, qimor, zararli, xavfli, қонун
    uz failure: topilmadi, sahifa topilmadi, mavjud emas, xatolik yuz, server xatosi, qayta urin, keyinroq
    kk login: кіру үшін, жүйеге кіру, жүйеге кіріңіз, пайдаланушы аты, пайдаланушының аты, құпиясөз, құпия сөз
      кіру коды, қол жеткізу коды, растау коды, тіркелу, тіркеліңіз, телефон нөмір, авторизация
    kk network: сымсыз, қонақ желі, интернетке қосыл, интернетке шығу, интернетке кіру, желіге қосыл, желі атауы
      қолжетімді желілер, тегін интернет
    kk terms: пайдалану шарттары, қолдану шарттары, шарттарды қабылда, қабылдаймын, келісемін, жалғастыру
    kk blocked: қол жеткізу шектел, қолжетімділік шектел, қатынау шектел, кіруге тыйым, қол жеткізуге тыйым, рұқсат жоқ
      рұқсат етілмеген, бұғаттал, тыйым салын, шектелген, қатынау бұғат
    kk content: заңсыз, заңға қайшы, заңнама, заңының, сот шешім, соттың шешімі, шешім, министрлі, мемлекет, порногра
      құмар ойын, зиянды, қауіпті, санат, ата ана
    kk failure: табылмады, бет табылмады, қолжетімсіз, қол жетімді емес, техникалық жұмыс, сервер қатесі, қате орын
      кейінірек, қайталап көр
    ky login: кирүү үчүн, системага кир, колдонуучунун аты, колдонуучу аты, сырсөз, катталуу, катталыңыз
    ky network: зымсыз, интернетке туташ, тармакка туташ, акысыз интернет
    ky terms: колдонуу шарттары, кабыл алам, макулмун
    ky blocked: кирүүгө тыюу, бөгөттөл, тыюу салын, чектелген, жеткиликтүүлүк чектел
    ky content: мыйзамсыз, мыйзам, сот чечим, министрлиг, зыяндуу, коркунучтуу
    ky failure: табылган жок, жеткиликсиз, ката кетти, кайра аракет
    tt login: керү өчен, кулланучы исеме, серсүз
    tt blocked: тыелган, чикләнгән, блокланган
    mn login: нэвтрэх, нэвтэрнэ, хэрэглэгчийн нэр, нууц үг, хандах код, бүртгүүлэх, бүртгэл үүсгэ, утасны дугаар
      баталгаажуулах код
    mn network: утасгүй, зочны сүлжээ, интернетэд холбогд, интернэтэд холбогд, интернэт холболт, сүлжээнд холбогд
      сүлжээний нэр, үнэгүй интернет, үнэгүй интернэт
    mn terms: үйлчилгээний нөхцөл, ашиглах нөхцөл, зөвшөөрч байна, хүлээн зөвшөөр, үргэлжлүүл
    mn blocked: хандах эрхгүй, хандалт хориг, хандалтыг хяз, хандалтыг хориг, хориглосон, хориглогд, хаагдсан
      хязгаарласан, хязгаарлагд, блоклосон
    mn content: хууль бус, хууль, шүүх, зохицуулах хороо, яам, садар самуун, порно, мөрийтэй, хортой, аюултай, ангилал
    mn failure: олдсонгүй, хуудас олдсонгүй, боломжгүй байна, засвар, алдаа гарлаа, серверийн алдаа
      дахин оролд, дараа дахин
    """

  /// Georgian, Armenian.
  static let caucasian = """
    ka login: შესვლა, შედით, ავტორიზაცია, მომხმარებლის სახელი, მომხმარებელი., პაროლ, წვდომის კოდი
      დადასტურების კოდი, რეგისტრაცია, დარეგისტრირ, ანგარიშის შექმნა, ტელეფონის ნომერ, ოთახის ნომერ, ვაუჩერ
    ka network: უსადენო, უკაბელო, სტუმრის ქსელ, სტუმართა ქსელ, ინტერნეტთან წვდომა, ინტერნეტზე წვდომა
      ინტერნეტთან დაკავშირ, ქსელთან დაკავშირ, დაკავშირება, ქსელის სახელ, ხელმისაწვდომი ქსელ, უფასო ინტერნეტ
      დარჩენილი დრო
    ka terms: გამოყენების პირობ, მომსახურების პირობ, წესებსა და პირობ, ვეთანხმები, თანახმა ვარ, ვიღებ პირობ
      გაგრძელება
    ka blocked: წვდომა აკრძალულ, წვდომა შეზღუდულ, წვდომა დაბლოკილ, წვდომა უარყოფილ, წვდომა ამ, დაბლოკილ, აკრძალულ
      შეზღუდულ, დაშვება აკრძალულ, ბლოკირებ
    ka content: უკანონო, კანონ, სასამართლო, გადაწყვეტილებ, კომისია, სამინისტრო, პორნოგრაფ, აზარტულ, მავნე, საშიშ
      კატეგორი, მშობლის კონტროლ, საავტორო
    ka failure: ვერ მოიძებნა, არ მოიძებნა, არ არსებობს, მიუწვდომელ, ტექნიკური სამუშაო, სერვერის შეცდომა
      მოხდა შეცდომა, სცადეთ, მოგვიანებით
    hy login: մուտք գործ, մուտքագր, օգտանուն, օգտատիրոջ անուն, գաղտնաբառ, մուտքի կոդ, հաստատման կոդ, գրանցվ
      գրանցում, ստեղծել հաշիվ, հեռախոսահամար, հեռախոսի համար
    hy network: անլար, հյուրերի ցանց, ինտերնետ հասանելի, ինտերնետի հասանելի, մուտք ինտերնետ, միանալ ինտերնետ
      միանալ ցանց, միացեք, կապակցվել, ցանցի անուն, հասանելի ցանց, անվճար ինտերնետ, մնացած ժամանակ
    hy terms: օգտագործման պայման, պայմաններ, համաձայն եմ, ընդունում եմ, շարունակել
    hy blocked: մուտքն արգելված, մուտքը արգելված, մուտքը մերժված, մուտքը սահմանափակ, հասանելիությունը սահմանափակ
      հասանելիությունն արգել, արգելափակ, արգելված, սահմանափակված
    hy content: ապօրինի, անօրինական, օրենք, օրենսդր, դատարան, որոշմամբ, նախարար, պոռնոգրաֆ, մոլախաղ, խաղադրույք
      վնասակար, վտանգավոր, կատեգորիա, ծնողական
    hy failure: չի գտնվել, չգտնվեց, գոյություն չունի, անհասանելի, հասանելի չէ, տեխնիկական աշխատանք, սխալ է տեղի
      սերվերի սխալ, փորձեք, ավելի ուշ
    """
}
