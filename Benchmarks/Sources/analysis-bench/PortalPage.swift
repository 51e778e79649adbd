/// A login page like those of portals, with enough notices and links after its form to reach the size.
///
/// Half of it is text and tags; the rest is style rules, scripts and long attributes.
func portalPage(of size: Int) -> [UInt8] {
  var page = """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>Guest network of the Example Hotel</title>
    <meta http-equiv="Cache-Control" content="no-store"><link rel="stylesheet" href="/style/main.css">
    </head><body class="page login-page"><div id="header" class="header wide"><img src="/logo.png" alt="Logo"></div>
    <form method="post" action="/login" class="login-form"><label for="user">Room number</label>
    <input type="text" id="user" name="username" placeholder="Room number"><input type="password" name="password">
    <input type="checkbox" name="accept" value="1"> I accept the <a href="/terms.html">terms of use</a>
    <button type="submit" class="button">Connect to the Internet</button></form>

    """
  var number = 0
  while page.utf8.count < size {
    number += 1
    page += """
      <div class="notice notice-\(number)" id="n\(number)"><h3>Offer number \(number)</h3><p>Our restaurant on the
      ground floor is open from seven in the morning, and the <a href="/offers/\(number)?from=portal&amp;lang=en">menu of
      the day</a> changes &mdash; as you might guess &mdash; every day. Ask at the desk for <b>late breakfast</b>.</p>
      <ul><li>Coffee</li><li>Tea</li><li><img src="/img/\(number).png" width="20" height="20" alt="Cake"></li></ul></div>

      """
    if number.isMultiple(of: 8) {
      page += """
        <style>.notice-\(number) { color: #334455; background: url("/img/back-\(number).png") no-repeat 0 0; margin: 0 auto }
        .notice-\(number) h3 { font: bold 14px/1.4 "Helvetica Neue", Arial, sans-serif; padding: 4px 8px }</style>
        <script>
        function show\(number)(id) { var e = document.getElementById(id); if (e) { e.style.display = 'block'; } }
        var items\(number) = [{ name: 'coffee', price: 3 }, { name: 'tea', price: 2 }];
        for (var i = 0; i < items\(number).length; i++) { show\(number)('n' + i); }
        function more\(number)() { window.location.href = '/offers/all?page=' + \(number); }
        </script>

        """
    }
  }
  return Array(page.utf8.prefix(size))
}
