document.getElementById("greeting").textContent = "Welcome aboard"
