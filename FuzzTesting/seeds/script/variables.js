var host = "login.example", mac, next; // a comment
next = 'http://' + host + `/in?${mac}&u=` + encodeURIComponent(location.href);
if (mac) { next += "&mac=" + mac } else next = next;
setTimeout(function () { window.top.location.replace(next) }, 1000);
