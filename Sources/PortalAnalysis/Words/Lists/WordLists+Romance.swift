extension WordLists {
  /// French, Spanish, Portuguese, Italian, Romanian, Catalan.
  static let romance = """
    fr login: se connecter, connectez vous, connexion au portail, identifiant, nom d utilisateur, utilisateur.
      mot de passe, mots de passe, code d accès, code d activation, code wifi, code de vérification, bon d accès
      coupon, inscription, inscrivez vous, s inscrire, s identifier, identifiez vous, s authentifier
      authentifiez vous, authentification, créer un compte, créez un compte, numéro de chambre
      numéro de téléphone, numéro de mobile, ouvrir une session
    fr network: accès au réseau, accès réseau, connexion au réseau, connexion réseau, connectivité réseau
      réseau sans fil, sans fil., réseau invité, réseau wifi, accès invité, accès internet
      accès à internet, accéder à internet, connexion internet, connexion à internet, se connecter à internet
      naviguer sur internet, surfer sur, portail captif, point d accès, nom du réseau, clé réseau, clé du réseau
      réseaux disponibles, choisir un réseau, choisissez un réseau, internet gratuit, temps restant
      commencer à naviguer, profitez du
    fr terms: conditions d utilisation, conditions générales, conditions d accès, charte, j accepte, accepter
      acceptez, je reconnais, j ai lu, règlement, responsabilité, en cliquant, en continuant, en vous connectant
    fr blocked: accès refusé, accès interdit, accès bloqué, accès limité, accès restreint, accès non autorisé
      accès à ce site, accès à cette page, accès au site, accès à la page, accès à ce contenu, accès est bloqué
      accès est refusé, accès a été, a été bloqué, est bloqué, bloqué, bloquée, blocage, interdit, interdite
      non autorisé, pas autorisé, n êtes pas autorisé, filtrage, filtre de contenu, filtré par, censur
      liste noire, pas disponible dans votre pays, indisponible dans votre pays, redirigé vers ce site du ministère
    fr content: illégal, illicite, décision de justice, décision judiciaire, ordonnance, tribunal, ministère
      autorités, loi., pornogra, pédopornogra, jeux d argent, jeux de hasard, paris en ligne, logiciel malveillant
      malveillant, hameçonnage, contrôle parental, catégorie, politique de sécurité, politique d accès
      droit d auteur, inapproprié, dangereux, nuisible, terroris, majeur., mineurs, administrateur système
      administrateur réseau, motif
    fr failure: introuvable, page non trouvée, non trouvé, n a pas été trouvé, n existe pas, indisponible, en maintenance
      erreur interne, erreur du serveur, erreur serveur, une erreur, réessayer plus tard, réessayez plus tard
      ultérieurement, délai d attente, passerelle incorrecte, injoignable, hors service
    es login: iniciar sesión, inicie sesión, inicia sesión, inicio de sesión
      nombre de usuario, usuario., contraseña, clave de acceso, código de acceso, código de verificación
      código de activación, cupón, vale de acceso, registrarse, regístrese, regístrate, registrate
      crear una cuenta, crear cuenta, identificarse, identifíquese, autentic, autentificación
      número de habitación, número de teléfono, número de celular, número de móvil, credenciales, ingrese su
    es network: acceso a la red, ingreso a la red, conexión de red, conectividad de red
      red inalámbrica, redes inalámbricas, inalámbric, red de invitados, red wifi, acceso a internet
      acceder a internet, conexión a internet, conectarse a, conéctate, conéctese, conectar a la red
      navegar por internet, navegar en internet, empezar a navegar, comenzar a navegar, portal cautivo
      punto de acceso, nombre de la red, clave de red, clave de la red, redes disponibles, seleccione una red
      elija una red, internet gratis, acceso gratuito, tiempo restante, acceso de invitados, acceso para invitados
    es terms: términos y condiciones, términos de uso, condiciones de uso, condiciones generales, política de uso
      acepto, aceptar, acepta los, estoy de acuerdo, he leído, al hacer clic, al continuar, responsabilidad
    es blocked: acceso denegado, acceso prohibido, acceso bloqueado, acceso restringido, acceso no permitido
      acceso no autorizado, acceso a este sitio, acceso a esta página, acceso al sitio, acceso a la página
      acceso ha sido, denegad, ha sido bloqueado, está bloqueado, bloqueado, bloqueada, bloqueo, prohibido
      prohibida, restringido, no permitido, no permitida, filtro de contenido, filtrado, censur, lista negra
      no está disponible en su país, no disponible en su país, no disponible en tu país, no está autorizado
    es content: ilegal, ilícit, orden judicial, mandato judicial, resolución judicial, juzgado, tribunal, ministerio
      autoridad, por ley., legislación, pornogra, apuestas, juegos de azar, juego ilegal, malicios, phishing
      suplantación, control parental, categoría, política de seguridad, política de contenido, políticas de seguridad
      derechos de autor, propiedad intelectual, inapropiad, peligros, dañin, terroris, mayores de, menores
      pederast, administrador del sistema, administrador de red, motivo
    es failure: no encontrad, página no encontrada, no se encontró, no se ha encontrado, no existe, no disponible
      mantenimiento, error interno, error del servidor, ha ocurrido un error, se ha producido un error, error en el
      inténtelo más tarde, inténtelo de nuevo, intente más tarde, inténtalo, intente nuevamente
      temporalmente, fuera de servicio, tiempo de espera, no se puede acceder
    pt login: iniciar sessão, inicie sessão, início de sessão, fazer login, faça login, entrar com, entre com
      nome de usuário, nome de utilizador, utilizador., usuário, palavra passe, senha, código de acesso
      código de verificação, código de ativação, cupom, cadastr, registe se, registre se, criar conta
      criar uma conta, autenticar, autenticação, autentique, número do quarto, número de telefone, celular.
      telemóvel, credenciais, acesse com
    pt network: acesso à rede, conexão de rede, ligação à rede, conectividade de rede
      rede sem fio, rede sem fios, sem fio, rede de convidados, rede de visitantes, rede wifi
      acesso à internet, acessar a internet, aceder à internet, conexão à internet, conexão com a internet
      ligação à internet, conectar se, conecte se, ligar à rede, navegar na internet, começar a navegar, navegar.
      portal cativo, ponto de acesso, nome da rede, chave de rede, senha da rede, redes disponíveis
      selecione uma rede, escolha uma rede, internet grátis, internet gratuita, tempo restante
    pt terms: termos e condições, termos de uso, termos de utilização, condições de uso, condições de utilização
      política de uso, aceito, aceitar, aceita os, concordo, concordar, li e concordo, ao clicar, ao continuar
      responsabilidade
    pt blocked: acesso negado, acesso proibido, acesso bloqueado, acesso restrito, acesso não permitido
      acesso não autorizado, acesso a este site, acesso a esta página, acesso ao site, acesso à página
      acesso foi, foi bloquead, está bloquead, bloquead, bloqueio, proibid, negado, não permitid, não autorizad
      filtro de conteúdo, filtragem, censur, lista negra, não está disponível no seu país
      não disponível no seu país
    pt content: ilegal, ilícit, ordem judicial, decisão judicial, mandado, justiça, tribunal, ministério
      autoridade, por lei, legislação, pornogra, apostas, jogos de azar, jogo online, malicios, controle dos pais
      controlo parental, controle parental, categoria, política de segurança, política de conteúdo, políticas de segurança
      direitos autorais, direitos de autor, inadequad, impróprio, perigos, nociv, terroris, maiores de, menores de
      administrador do sistema, administrador da rede, motivo
    pt failure: não encontrad, página não encontrada, não foi encontrad, não foi possível, não existe, indisponível
      não disponível, manutenção, erro interno, erro do servidor, erro no servidor, ocorreu um erro
      tente novamente, tente mais tarde, tempo esgotado, fora do ar, fora de serviço
    it login: accedi., effettua l accesso, effettuare l accesso, nome utente, utente., credenziali, parola d ordine
      codice di accesso, codice d accesso, codice di verifica, codice di attivazione, buono., registrati.
      registrarsi, registrazione, crea un account, crea account, autenticazione, autenticarsi, autenticati
      numero di camera, numero della camera, numero di telefono, numero di cellulare, iscriviti
    it network: accesso alla rete, connessione alla rete, connettività di rete
      rete senza fili, senza fili, rete wireless, rete ospiti, rete wifi, accesso a internet
      accesso ad internet, accesso internet, accedere a internet, connessione a internet, connessione internet
      collegarsi a, collegati a, connettersi a, connettiti, navigare in internet, navigare gratis, naviga gratis
      inizia a navigare, portale captive, punto di accesso, nome della rete, nome rete, chiave di rete
      reti disponibili, seleziona una rete, scegli una rete, internet gratis, internet gratuito, tempo rimanente
      tempo residuo, navigazione
    it terms: termini e condizioni, termini di utilizzo, termini d uso, condizioni d uso, condizioni di utilizzo
      condizioni generali, regolamento, accetto, accetta i, accetta e, accettare, acconsento, ho letto
      dichiaro di, cliccando, responsabilità
    it blocked: accesso negato, accesso vietato, accesso bloccato, accesso limitato, accesso non consentito
      accesso non autorizzato, accesso inibito, accesso a questo sito, accesso a questa pagina, accesso al sito
      accesso alla pagina, è stato bloccato, bloccat, blocco., vietat, negato, inibit, oscurat, oscuramento
      sito non raggiungibile in quanto, non consentit, non autorizzat, non permess, filtro contenuti
      filtro dei contenuti, filtrat, censur, lista nera, non disponibile nel tuo paese
      sottoposto a sequestro, sequestro
    it content: illegal, illecit, autorità giudiziaria, provvedimento, tribunale, ordinanza, ministero, autorità
      garante, decreto, legge., normativa, pornogra, pedopornogra, gioco d azzardo, scommesse, giochi
      dannos, pericolos, controllo parentale, controllo genitori, parental control, categoria, criteri di
      diritto d autore, inappropriat, terroris, maggiorenn, minori, amministratore di sistema
      amministratore di rete, polizia postale, motivo
    it failure: non trovat, pagina non trovata, impossibile trovare, non esiste, non disponibile, manutenzione
      errore interno, errore del server, si è verificato un errore, riprova più tardi, riprovare più tardi
      tempo scaduto, fuori servizio, temporaneamente, non raggiungibile
    ro login: autentific, conectează te, conectați vă, nume de utilizator, nume utilizator, parolă, parola
      cod de acces, codul de acces, cod de verificare, voucher, înregistrare, înregistrează, înregistrați
      creați un cont, creează cont, număr de telefon, numărul camerei
    ro network: rețea fără fir, rețea wireless, fără fir, rețea pentru oaspeți, acces la internet, accesa internetul
      accesați internetul, conectare la internet, conectați vă la, conectează te la, navigați, navighează
      numele rețelei, cheia rețelei, rețele disponibile, alegeți o rețea, internet gratuit, timp rămas
      punct de acces
    ro terms: termeni și condiții, termenii și condițiile, condiții de utilizare, termenii de utilizare, accept.
      acceptați, accept termenii, sunt de acord, am citit, continuați
    ro blocked: acces interzis, acces refuzat, acces blocat, accesul este, accesul la acest, accesul la site
      accesul la pagina, acces restricționat, acces nepermis, blocat, blocată, blocarea, interzis, interzisă
      nu este permis, filtrare, filtru de conținut, cenzur, lista neagră, nu este disponibil în țara
    ro content: ilegal, ilicit, hotărâre judecătorească, decizia, instanț, autoritat, oficiul național, ministerul
      pornogra, jocuri de noroc, pariuri, malițios, periculos, dăunător, control parental, categorie, categoria
      politica de securitate, drepturi de autor, neadecvat, terroris, minori, administratorul
    ro failure: nu a fost găsit, nu a putut fi găsit, pagina nu există, negăsit, indisponibil, nu este disponibil.
      mentenanță, întreținere, eroare internă, eroare de server, a apărut o eroare, încercați mai târziu
      încercați din nou, expirat
    ca login: inicia la sessió, inicieu la sessió, nom d usuari, contrasenya, codi d accés, registreu vos
      registra t., crea un compte, identifica t
    ca network: xarxa sense fil, sense fil, accés a internet, connecta t, connecteu vos, navegar per internet
      nom de la xarxa, xarxes disponibles
    ca terms: condicions d ús, termes i condicions, accepto, accepteu, hi estic d acord
    ca blocked: accés denegat, accés prohibit, accés bloquejat, accés restringit, bloquejat, bloquejada, prohibit.
      no permès
    ca content: il legal, ordre judicial, pornogra, apostes, jocs d atzar, perillós, control parental
    ca failure: no s ha trobat, no trobat, no disponible, manteniment, torneu ho a provar
    """
}
