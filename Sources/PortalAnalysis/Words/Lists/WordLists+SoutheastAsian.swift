extension WordLists {
  /// Thai, Lao, Burmese, Khmer, Vietnamese.
  static let mainlandAsian = """
    th login: เข้าสู่ระบบ, ลงชื่อเข้าใช้, ลงชื่อเข้า, ล็อกอิน, ล๊อกอิน, ชื่อผู้ใช้, รหัสผ่าน, รหัสเข้าใช้งาน, รหัสยืนยัน
      รหัสคูปอง, คูปอง, ลงทะเบียน, สมัครสมาชิก, สร้างบัญชี, เบอร์โทรศัพท์, หมายเลขโทรศัพท์, เบอร์มือถือ, หมายเลขห้อง
      ยืนยันตัวตน, พิสูจน์ตัวตน, บัตรประชาชน
    th network: ไวไฟ, วายฟาย, ไร้สาย, ฮอตสปอต, เครือข่ายสำหรับแขก, เครือข่ายผู้มาเยือน, เชื่อมต่ออินเทอร์เน็ต
      เชื่อมต่ออินเตอร์เน็ต, ใช้งานอินเทอร์เน็ต, ใช้งานอินเตอร์เน็ต, ใช้อินเทอร์เน็ต, ใช้บริการอินเทอร์เน็ต, เข้าใช้งานเครือข่าย
      เชื่อมต่อเครือข่าย, ชื่อเครือข่าย, เลือกเครือข่าย, อินเทอร์เน็ตฟรี, เน็ตฟรี, เวลาคงเหลือ, เวลาที่เหลือ
    th terms: ข้อกำหนดและเงื่อนไข, เงื่อนไขการใช้, ข้อตกลงการใช้, ยอมรับเงื่อนไข, ฉันยอมรับ, ยอมรับข้อ, ฉันเห็นด้วย, ดำเนินการต่อ
    th blocked: ถูกระงับ, ระงับการเข้าถึง, ระงับการเผยแพร่, ระงับการใช้งาน, ถูกบล็อก, ถูกบล๊อก, ถูกปิดกั้น, ปิดกั้น, บล็อกการ
      ปฏิเสธการเข้าถึง, การเข้าถึงถูกปฏิเสธ, ไม่ได้รับอนุญาต, ไม่อนุญาต, ห้ามเข้าถึง, ต้องห้าม, จำกัดการเข้าถึง, เซ็นเซอร์
      ไม่สามารถเข้าถึงเว็บไซต์นี้
    th content: ผิดกฎหมาย, ไม่เหมาะสม, คำสั่งศาล, ศาล, กระทรวง, พระราชบัญญัติ, พ.ร.บ, กฎหมาย, ลามก, อนาจาร, การพนัน, พนัน
      มัลแวร์, อันตราย, เป็นอันตราย, หลอกลวง, ผู้ปกครอง, หมวดหมู่, นโยบายความปลอดภัย, ละเมิดนโยบาย, ลิขสิทธิ์, ความมั่นคง, ผู้ดูแลระบบ
    th failure: ไม่พบหน้า, ไม่พบ, ไม่มีอยู่, ไม่พร้อมใช้งาน, ปิดปรับปรุง, บำรุงรักษา, เกิดข้อผิดพลาด, ข้อผิดพลาด
      ลองใหม่, ลองอีกครั้ง, ภายหลัง
    lo login: ເຂົ້າສູ່ລະບົບ, ລົງຊື່ເຂົ້າ, ຊື່ຜູ້ໃຊ້, ລະຫັດຜ່ານ, ລົງທະບຽນ, ລະຫັດຢືນຢັນ, ເບີໂທລະສັບ, ສ້າງບັນຊີ
    lo network: ໄວໄຟ, ໄຮ້ສາຍ, ໄຮ້ສາຍ, ເຊື່ອມຕໍ່ອິນເຕີເນັດ, ເຊື່ອມຕໍ່ອິນເທີເນັດ, ໃຊ້ອິນເຕີເນັດ, ໃຊ້ງານອິນເຕີເນັດ, ຊື່ເຄືອຂ່າຍ
      ເລືອກເຄືອຂ່າຍ, ອິນເຕີເນັດຟຣີ
    lo terms: ເງື່ອນໄຂການ, ຂໍ້ກຳນົດ, ຍອມຮັບ, ຂ້ອຍຕົກລົງ, ຕົກລົງ, ສືບຕໍ່
    lo blocked: ຖືກບລັອກ, ຖືກປິດກັ້ນ, ປິດກັ້ນ, ຖືກລະງັບ, ປະຕິເສດການເຂົ້າ, ບໍ່ອະນຸຍາດ, ບໍ່ໄດ້ຮັບອະນຸຍາດ, ຕ້ອງຫ້າມ, ຫ້າມເຂົ້າ
    lo content: ຜິດກົດໝາຍ, ກົດໝາຍ, ສານ, ກະຊວງ, ລາມົກ, ການພະນັນ, ອັນຕະລາຍ, ບໍ່ເໝາະສົມ
    lo failure: ບໍ່ພົບ, ບໍ່ມີຢູ່, ເກີດຂໍ້ຜິດພາດ, ຂໍ້ຜິດພາດ, ລອງໃໝ່, ປັບປຸງ
    my login: ဝင်ရောက်ရန်, အကောင့်ဝင်, လော့ဂ်အင်, လော့ဂ်အင်, လက်မှတ်ထိုးဝင်, အသုံးပြုသူအမည်, အသုံးပြုသူ အမည်, စကားဝှက်
      လျှို့ဝှက်နံပါတ်, အတည်ပြုကုဒ်, မှတ်ပုံတင်, စာရင်းသွင်း, ဖုန်းနံပါတ်, အကောင့်ဖွင့်
    my network: ဝိုင်ဖိုင်, ဝိုင်ဖိုင်, ကြိုးမဲ့, အင်တာနက်ချိတ်ဆက်, အင်တာနက် ချိတ်ဆက်, အင်တာနက်သုံး, အင်တာနက် အသုံးပြု
      ကွန်ရက်သို့ ချိတ်, ကွန်ရက်အမည်, ကွန်ရက်ရွေး, အခမဲ့အင်တာနက်, အခမဲ့ အင်တာနက်, ဧည့်သည်ကွန်ရက်
    my terms: စည်းကမ်းချက်, စည်းမျဉ်းစည်းကမ်း, စည်းကမ်းနှင့်, သဘောတူ, လက်ခံပါသည်, ဆက်လက်
    my blocked: ပိတ်ဆို့, ပိတ်ပင်, ပိတ်ထား, ဝင်ရောက်ခွင့်မရှိ, ဝင်ရောက်ခွင့် မရှိ, ခွင့်မပြု, တားမြစ်, ကန့်သတ်, ပိတ်သိမ်း
    my content: တရားမဝင်, ဥပဒေ, ညွှန်ကြား, ဝန်ကြီးဌာန, တရားရုံး, ညစ်ညမ်း, လောင်းကစား, အန္တရာယ်, သတင်းတု, ရှောင်ကြဉ်
    my failure: ရှာမတွေ့, မတွေ့ပါ, မရရှိနိုင်, အမှားအယွင်း, ထပ်ကြိုးစား, ထပ်မံကြိုးစား, ပြုပြင်ထိန်းသိမ်း
    km login: ចូលប្រើ, ចូលគណនី, ឡុកអ៊ីន, ឈ្មោះអ្នកប្រើ, ពាក្យសម្ងាត់, លេខសម្ងាត់, លេខកូដ, ចុះឈ្មោះ, បង្កើតគណនី
      លេខទូរស័ព្ទ
    km network: វ៉ាយហ្វាយ, វាយហ្វាយ, ឥតខ្សែ, ភ្ជាប់អ៊ីនធឺណិត, ភ្ជាប់ទៅអ៊ីនធឺណិត, ភ្ជាប់អ៊ីនធើណិត, ប្រើអ៊ីនធឺណិត, ភ្ជាប់បណ្តាញ
      ភ្ជាប់ទៅបណ្តាញ, ឈ្មោះបណ្តាញ, ជ្រើសរើសបណ្តាញ, អ៊ីនធឺណិតឥតគិតថ្លៃ
    km terms: លក្ខខណ្ឌ, ខ្ញុំយល់ព្រម, យល់ព្រម, ទទួលយក, បន្ត
    km blocked: ត្រូវបានបិទ, ត្រូវបានរារាំង, រារាំង, បានទប់ស្កាត់, ទប់ស្កាត់, បដិសេធ, មិនអនុញ្ញាត, គ្មានការអនុញ្ញាត, ហាមឃាត់
      ហាមចូល
    km content: ខុសច្បាប់, ច្បាប់, តុលាការ, ក្រសួង, អាសអាភាស, ល្បែងស៊ីសង, គ្រោះថ្នាក់, មិនសមរម្យ
    km failure: រកមិនឃើញ, មិនមាន, មានបញ្ហា, កំហុស, ព្យាយាមម្តងទៀត, ពេលក្រោយ, ថែទាំ
    vi login: đăng nhập, tên đăng nhập, tên người dùng, mật khẩu, mã truy cập, mã xác nhận, mã xác thực, mã otp
      đăng ký tài khoản, đăng ký ngay, tạo tài khoản, số điện thoại, số phòng, xác thực
    vi network: mạng không dây, không dây, mạng khách, truy cập internet, truy cập mạng, kết nối internet, kết nối mạng
      kết nối với internet, kết nối wifi, tên mạng, chọn mạng, internet miễn phí, thời gian còn lại, vào mạng
      điểm truy cập
    vi terms: điều khoản sử dụng, điều khoản và điều kiện, điều khoản dịch vụ, tôi đồng ý, đồng ý với, chấp nhận
      tiếp tục truy cập
    vi blocked: truy cập bị từ chối, từ chối truy cập, truy cập bị chặn, bị chặn, đã bị chặn, chặn truy cập
      bị cấm, cấm truy cập, không được phép, không có quyền, bị hạn chế, hạn chế truy cập, ngăn chặn, kiểm duyệt
      không khả dụng ở quốc gia
    vi content: bất hợp pháp, trái phép, vi phạm, pháp luật, tòa án, bộ thông tin, cơ quan chức năng, khiêu dâm
      đồi trụy, cờ bạc, cá cược, mã độc, độc hại, lừa đảo, nguy hiểm, kiểm soát của cha mẹ, danh mục, chính sách của, chính sách an ninh
      bản quyền, không phù hợp, quản trị viên
    vi failure: không tìm thấy, không tồn tại, không khả dụng, bảo trì, lỗi máy chủ, đã xảy ra lỗi, xảy ra lỗi
      thử lại sau, vui lòng thử lại, quá thời gian
    """

  /// Indonesian, Malay, Tagalog, Javanese.
  static let islandAsian = """
    id login: masuk ke akun, masuk dengan, silakan masuk, silahkan masuk, log masuk, nama pengguna, kata sandi
      kata laluan, kode akses, kod akses, kode verifikasi, kod pengesahan, kode voucher, kode otp, daftar sekarang
      daftar akun, pendaftaran, mendaftar, buat akun, cipta akaun, buka akaun, nomor telepon, nombor telefon
      nomor hp, nomor kamar, nombor bilik, otentikasi, autentikasi, pengesahan pengguna
    id network: nirkabel, tanpa wayar, wayarles, jaringan tamu, rangkaian tetamu, akses internet, capaian internet
      terhubung ke internet, sambungkan ke, sambung ke internet, hubungkan ke, terhubung dengan, koneksi internet
      sambungan internet, nama jaringan, nama rangkaian, pilih jaringan, pilih rangkaian, jaringan tersedia
      internet gratis, internet percuma, sisa waktu, baki masa, mulai browsing, mulai menjelajah
    id terms: syarat dan ketentuan, syarat ketentuan, terma dan syarat, syarat penggunaan, ketentuan layanan
      saya setuju, setuju dengan, saya menyetujui, saya menerima, terima dan, lanjutkan, teruskan
    id blocked: akses ditolak, akses dinafikan, akses diblokir, akses disekat, akses dibatasi, akses ke situs
      akses ke halaman, akses kepada laman, situs diblokir, situs ini diblokir, diblokir, pemblokiran, terblokir
      diblok., disekat, sekatan, dilarang, dihalang, terlarang, tidak diizinkan, tidak dibenarkan
      tidak diperbolehkan, situs yang anda, laman web ini tidak, tidak dapat diakses karena, disensor, penapisan
      tidak tersedia di negara
    id content: ilegal, haram, melanggar, undang, peraturan, perundang, keputusan pengadilan, pengadilan
      mahkamah, kementerian, kemkominfo, kominfo, pemerintah, kerajaan, suruhanjaya, pornografi, perjudian, judi
      penipuan, berbahaya, perisian hasad, konten negatif, internet positif, internet sehat, muatan negatif
      kandungan, konten, sara., kawalan ibu bapa, kontrol orang tua, kategori, kebijakan keamanan, melanggar kebijakan, dasar keselamatan
      hak cipta, tidak pantas, tidak sesuai, terorisme, pentadbir, administrator jaringan
    id failure: tidak ditemukan, halaman tidak ditemukan, tidak dijumpai, tidak ada halaman, tidak wujud, tidak tersedia.
      pemeliharaan, penyelenggaraan, kesalahan server, ralat pelayan, terjadi kesalahan, ralat telah, coba lagi
      cuba lagi, cuba sebentar, beberapa saat lagi
    tl login: mag log in, mag login, mag sign in, pangalan ng gumagamit, iyong password, magparehistro, magrehistro
      gumawa ng account, numero ng telepono, numero ng kwarto
    tl network: kumonekta sa, ikonekta, konektado sa internet, libreng internet, libreng wifi, pangalan ng network
      pumili ng network, natitirang oras
    tl terms: tuntunin at kundisyon, tuntunin ng paggamit, mga tuntunin, sumasang ayon, tinatanggap ko, tanggapin
      magpatuloy
    tl blocked: tinanggihan ang, na block, naka block, hinarang, hinaharang, ipinagbabawal, bawal, hindi pinapayagan
      hindi pinahihintulutan, pinagbabawalan
    tl content: iligal, ilegal, labag sa batas, batas., hukuman, korte, kagawaran, pamahalaan, pornograpiya, pagsusugal
      sugal, mapanganib, nakakapinsala, kategorya
    tl failure: hindi nahanap, hindi natagpuan, hindi makita, hindi available, pagpapanatili, nagkaroon ng error
      subukan muli, subukang muli
    """
}
