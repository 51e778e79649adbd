<!--
document.write('<meta http-equiv="refresh" content="0;url=' + unescape("%2Flogin\u003f\x61") + '"><scr' + "ipt>go('/x')<\/script>");
function go(where) { try { location.href = where } catch (e) { window.open(where, "_self") } }
//-->
