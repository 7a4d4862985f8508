/** What the page says, in French. */

import { grammar } from "../grammar.js";

const own = grammar("fr", { sign: "\u202f%" });
const { count, either, list } = own;
/** @param {number} n */
const answers = (n) => count(n, { one: "# réponse", other: "# réponses" });
/** @param {number} n */
const bytes = (n) => count(n, { one: "# octet", other: "# octets" });

/** @type {import("./en.js").Texts} */
const texts = {
  ...own,
  page: {
    lead: "Participez, et choisissez vous-même ce que vos réponses peuvent révéler.",
    language: "Langue",
    step: (at, all) => `Étape ${at} sur ${all}`,
    stopped: "Vous vous êtes arrêté ici",
    nothingSent: "Rien n’a été envoyé. Vous pouvez fermer cette page.",
    changed: "L’enquête a changé",
    changedHow:
      "Ce qui est demandé, ou la manière de le protéger, n’est plus comme à votre première visite. Votre accord d’alors ne vaut pas pour cela. Vous pouvez voir ce qui est demandé maintenant et choisir à nouveau, ou vous arrêter. Ce que vous avez dépensé reste dépensé.",
    changedDelete: "Si vous continuez, vous pourrez aussi supprimer un rapport déjà envoyé.",
    stop: "M’arrêter ici",
    seeNow: "Voir ce qui est demandé maintenant",
    broken: "Cette page ne peut pas continuer",
    notKeeping: "Cette page ne peut rien conserver ici",
    notNow: "Rien n’a été envoyé à l’instant.",
    whyKeep:
      "Elle doit compter ce que vous avez révélé, pour que ce ne soit jamais plus que vous ne voulez. Une fenêtre privée en est peut-être la cause : essayez une fenêtre normale. Rien n’a été envoyé.",
    again: "Réessayer",
    round: (round) => `Tour ${round}`,
    roundBefore: (round) => `Tour ${round} de l’enquête d’avant`,
    earlier: (count) => `Vos rapports précédents (${count})`,
  },
  about: {
    title: "Ce qui est demandé",
    drawn: (all, drawn) =>
      `Cette enquête comporte ${count(all, { one: "# question", other: "# questions" })}. Votre appareil en a tiré ${drawn} au hasard ; les autres ne vous seront pas posées.`,
    choose: "Vous choisissez les réponses que vous donnez et ce que chacune peut révéler.",
    asker: "Qui demande",
    noAsker: "Les responsables de cette page n’ont pas dit qui ils sont.",
    purpose: "Pourquoi",
    noPurpose: "Les responsables de cette page n’ont pas dit pourquoi.",
    contact: "Contact",
    retention: "Durée de conservation",
    kept: "Les rapports sont conservés jusqu’à ce que leurs auteurs les suppriment.",
    removed: (days) =>
      `Les rapports sont supprimés ${count(days, { one: "# jour", other: "# jours" })} après la fin de leur tour ; les chiffres qui en sont tirés restent.`,
    notice: "Protection des données",
    further: "Autres questions",
    learn: "Ce que d’autres peuvent apprendre",
    others: "Les responsables de l’enquête, un pirate, un employeur, un tribunal :",
    exact: "Votre réponse exacte",
    exactNo: "Non, jamais avec certitude.",
    exactOpen: "Non, jamais avec certitude, si elle est protégée.",
    exactNearly: "Avec la protection la plus faible, presque.",
    openOnes: (questions) =>
      `Certaines réponses à ${list(questions)} peuvent être envoyées ouvertement, telles quelles.`,
    guess: "Une meilleure supposition",
    guessYes: "Oui, au plus autant que vous le choisissez.",
    guessOpen: "Oui, au plus autant que vous le choisissez, sauf si elle est envoyée ouvertement.",
    guessNext: "L’étape suivante montre combien.",
    again: "Les tours suivants",
    repeats: "Une réponse qui ne change pas est envoyée telle quelle, et son contenu ne révèle rien de plus.",
    repeatsWhy:
      "Mais des rapports égaux montrent qu’elle n’a pas changé, et des rapports différents qu’elle a changé. Rien ne limite ce que cela révèle au fil des tours.",
    rounded: "Un nombre qui change un peu est en général la même réponse : la façon de l’arrondir est tirée une fois et reste sur cet appareil.",
    grouped: (groups, owners) =>
      `Vos rapports de tous les tours indiquent aussi un groupe parmi ${groups}. Il est tiré une fois, sans regarder vos réponses, et environ ${owners} personnes le partagent.`,
    cohorted: (cohorts) =>
      `Vos rapports de tous les tours indiquent aussi une cohorte parmi ${cohorts}. Elle est tirée une fois, sans regarder vos réponses.`,
    fresh: "Chaque tour en révèle autant à nouveau.",
    freshWhy: "Les niveaux de tous les tours s’additionnent, que votre réponse change ou non.",
    rotates: "Vous ne répondez qu’à quelques tours, et ce qu’ils révèlent s’additionne.",
    rotatesWhy: "Le moment où votre réponse change est protégé aussi bien que la réponse.",
    leftOut: "Ce que vous avez omis",
    yes: "Oui.",
    levelsSecret: "Ce que chaque réponse peut révéler n’est pas dans le rapport.",
    levelsSent: "Le rapport dit aussi ce que chaque réponse peut révéler.",
    whose: "Quel rapport est le vôtre",
    whoseCode: "Oui, pour qui connaît le code de votre invitation.",
    whoseWhy:
      "Votre rapport est fait d’une manière que seul ce code donne, pour que personne ne puisse fausser le résultat en en choisissant une autre.",
    chance:
      "Votre appareil ajoute du hasard à vos réponses avant que quoi que ce soit n’en sorte. Cela se passe dans cette page. Personne n’apprend si ce qui a été envoyé est votre propre réponse.",
    chanceOpen:
      "Votre appareil ajoute du hasard à vos réponses avant que quoi que ce soit n’en sorte. Cela se passe dans cette page. Sauf si elle a été envoyée ouvertement, personne n’apprend si ce qui a été envoyé est votre propre réponse.",
    trust: "Comment puis-je le savoir ?",
    trustWhy:
      "Vous voyez votre rapport, octet par octet, avant de l’envoyer. Les outils de développement de votre navigateur montrent chaque requête de cette page et le code qui s’y exécute. Mais les responsables de cette page vous fournissent aussi ce code et voient, comme tout site, que votre appareil est venu ici. Si vous ne leur faites pas confiance pour cela, ne participez pas.",
    next: "Choisir ce que je donne",
    balanced: (sure) =>
      `Ou donnez tout avec une protection équilibrée : d’après une seule réponse, quelqu’un qui hésitait à 50:50 peut en être sûr à ${sure} au plus. Vous pourrez encore changer cela avant de répondre.`,
    closed: "Aucun rapport n’est accepté en ce moment.",
    results: "Voir les résultats jusqu’ici",
  },
  rewording: {
    title: "Seule la formulation a changé",
    how:
      "Cette enquête demande les mêmes sortes de réponses que celle à laquelle vous avez déjà répondu, avec la même protection, mais en d’autres mots.",
    before: "Avant",
    now: "Maintenant",
    elsewhere: "Ce qui a changé n’est pas dans la langue que vous lisez.",
    ask:
      "Demande-t-elle toujours la même chose ? Si oui, une réponse déjà donnée est rapportée de la même manière, sans frais. Sinon, c’est une nouvelle enquête : le hasard est tiré à nouveau, et ce que vos réponses peuvent révéler est compté à nouveau. En cas de doute, dites non.",
    yes: "Oui, elle demande la même chose",
    no: "Non, c’est une nouvelle enquête",
    answered: "Vous avez déjà répondu à ce tour",
    answeredHow:
      "Votre rapport d’avant le changement de formulation compte pour ce tour. Vous le trouvez ci-dessous.",
  },
  words: {
    date: (between) => `Une date : ${between}.`,
    time: (between) => `Une heure : ${between}.`,
    grouped: (count, edges) => `Rapportée comme l’un de ${count} groupes qui commencent à ${list(edges)}.`,
    notApplicable: "sans objet",
    answered: (question, answers) => `${question} : ${either(answers)}`,
    applies: (conditions) =>
      `Seulement pour les personnes avec ces réponses : ${conditions.join(" ; ")}. Pour toutes les autres, « sans objet » compte comme réponse, avec la même protection.`,
    strengths: ["Très forte", "Forte", "Équilibrée", "Légère", "Minimale", "Presque aucune"],
    protections: [
      "Protection très forte",
      "Protection forte",
      "Protection équilibrée",
      "Protection légère",
      "Protection minimale",
      "Presque aucune protection",
    ],
    someOnly: (protection) => `${protection}, de certaines réponses seulement`,
    level: (level) => `(niveau ${level})`,
    charged: (level, cost) => `(niveau ${level}, compté ${cost})`,
    spoken: (protection, sure) => `${protection} : sûr à ${sure} au plus`,
    quoted: (words) => `«\u202f${words}\u202f»`,
    together: (questions) => `${list(questions)}, ensemble`,
    between: (low, high) => `${low} à ${high}`,
    part: (question, asked) => `${question} : ${asked}`,
    text: "Un texte libre.",
    oneOf: (count, labels) => `Une réponse sur ${count} : ${labels.join(", ")}.`,
    oneOfMany: (count, labels, more) =>
      `Une réponse sur ${count} : ${labels.join(", ")} et ${more} autres.`,
    number: (between) => `Un nombre de ${between}.`,
    numberInGroups: (between, count, edges) =>
      `Un nombre de ${between}, rapporté comme l’un de ${count} groupes qui commencent à ${list(edges)}.`,
    idldp:
      "Toutes les réponses n’ont pas la même protection : entre deux d’entre elles, la plus forte compte.",
    uldp: (labels) =>
      `${labels.length > 1 ? `Seules ${list(labels)} sont protégées` : `Seule ${list(labels)} est protégée`}. Toute autre réponse peut être envoyée ouvertement, telle quelle.`,
    metric:
      "Toutes les réponses n’ont pas la même protection : les réponses proches entre elles en ont plus, les réponses éloignées moins que ne le dit le niveau.",
    openPicture: (open, held) =>
      `Sur 100 personnes dont la réponse n’est pas protégée, ${open} l’envoient ouvertement, telle quelle ; ${held} en envoient une protégée, choisie au hasard. Les personnes dont la réponse est protégée en envoient toujours une protégée.`,
    bits: (kept, also) =>
      `Un oui ou un non est envoyé pour chaque réponse possible. Sur 100 personnes ayant votre réponse, ${kept} envoient un oui pour elle ; sur 100 personnes en ayant une autre, ${also} le font aussi, par hasard. Les grands points sont la différence.`,
    cover: (kept, also) =>
      `Une liste est envoyée, en partie par hasard. Sur 100 personnes qui ont une entrée, ${kept} envoient une liste qui la contient ; sur 100 qui ne l’ont pas, ${also} aussi. Les gros points sont la différence.`,
    cells: (kept, also) =>
      `Les entrées sont réparties en groupes que beaucoup d’entrées différentes partagent, et une liste de groupes est envoyée, en partie par hasard. Sur 100 personnes qui ont une entrée, ${kept} envoient une liste avec son groupe ; sur 100 qui ne l’ont pas, ${also} ou un peu plus le font aussi. Les grands points sont la différence.`,
    guesses: (right) =>
      `Sur 100 suppositions entre deux réponses, 50 sont justes par hasard ; avec cette réponse, ${right} au plus en moyenne. Les grands points sont ce qu’elle ajoute.`,
    one: (own, others) =>
      `Sur 100 personnes ayant votre réponse, ${own} l’envoient ; ${others} en envoient une autre, choisie au hasard.`,
    set: (own, others, count) =>
      `Sur 100 personnes ayant votre réponse, ${own} envoient un ensemble de ${count} réponses qui la contient ; ${others} envoient un ensemble sans elle, choisi au hasard.`,
    group: (own, others, count) =>
      `Toutes les réponses sont réparties au hasard en ${count} groupes, et un groupe est envoyé. Sur 100 personnes ayant votre réponse, ${own} envoient le groupe qui la contient ; ${others} en envoient un autre, choisi au hasard.`,
    near: (own, others) =>
      `Sur 100 personnes ayant votre nombre, ${own} en envoient un de l’intervalle qui l’entoure ; ${others} en envoient un d’ailleurs, choisi au hasard. Plus la protection est forte, plus l’intervalle est large.`,
    other: (own) =>
      `Sur 100 personnes ayant votre réponse, ${own} envoient un rapport qui parle pour elle.`,
    worst: (sure) =>
      `D’après cette seule réponse, quelqu’un qui hésitait à 50:50 peut en être sûr à ${sure} au plus.`,
    worstOpen: (labels, sure) =>
      `Protégées : ${list(labels)}. Toute autre réponse peut être envoyée ouvertement, telle quelle. Si une réponse protégée est envoyée, quelqu’un qui hésitait à 50:50 peut en être sûr à ${sure} au plus.`,
    apart:
      "Cela vaut pour les deux réponses qui se distinguent le mieux ; les autres se distinguent moins.",
    farthest:
      "Cela vaut pour les deux réponses les plus éloignées ; les plus proches se distinguent moins.",
    worthMean: (people, bare) =>
      `Si tout le monde choisissait cela, environ ${people} personnes montreraient la moyenne à ±2\u202f% de son étendue près, 19 fois sur 20 ; sans protection, ${bare} suffiraient.`,
    worthShare: (people, bare) =>
      `Si tout le monde choisissait cela, environ ${people} personnes montreraient une part à ±2 points près, 19 fois sur 20 ; sans protection, ${bare} suffiraient.`,
  },
  choosing: {
    title: "Choisir ce que je donne",
    first:
      "Vos réponses vous seront demandées ensuite, et seulement celles que vous voulez donner.",
    level: (examples) =>
      `Ce qu’une réponse peut révéler est fixé par un nombre, son niveau. Pensez à quelque chose sur vous que quelqu’un estime à 50:50. Après une réponse, il peut en être sûr au plus à : ${examples.map(([level, sure]) => `${sure} au niveau ${level}`).join(", ")}. Plus un niveau est bas, plus il protège.`,
    least: (least) => `Donnez au moins ${answers(least)} pour participer.`,
    sums: (sum) => `La somme de tous les niveaux peut aller jusqu’à ${sum}.`,
    sumsEach: (sum) =>
      `La somme de tous les niveaux peut aller jusqu’à ${sum} pour chaque réponse que vous donnez.`,
    disclosed:
      "Votre rapport dit aussi ce que vous choisissez ici. Que cela ne dépende donc pas de ce que vous répondrez.",
    presets: "En une fois",
    balanced: "Tout donner, avec une protection équilibrée",
    evenly: "Répartir également entre mes réponses",
    evenlyAll: "Tout donner, réparti également",
    scale: "Baisser tous les niveaux pour que cela convienne",
    done: {
      balanced: "Tout est donné avec une protection équilibrée.",
      evenly: "Toutes les réponses données ont le même niveau.",
      scaled: "Les niveaux sont baissés. Ils conviennent maintenant.",
    },
    next: "Passer aux questions",
    back: "Revenir à ce qui est demandé",
    wrong: "Il faut d’abord changer quelque chose : voyez le message ci-dessus.",
  },
  choice: {
    slider: (questions) => `Ce que ${list(questions)} peut révéler`,
    leave: "Omettre",
    share: "Donner",
    consent: (labels) =>
      `J’autorise ici les rapports ouverts. Un rapport qui nomme une autre réponse que ${labels} est ouvert : il est vrai, qui le lit connaît cette réponse, et aucun niveau ni aucune limite ne borne cela.`,
    range: (question) => `Intervalle pour ${question}`,
    rangeNote:
      "Un intervalle plus étroit révèle plus avec la même protection. Les nombres hors de l’intervalle sont ramenés à l’extrémité la plus proche. Le rapport le nomme : choisissez-le quelle que soit votre réponse.",
    adds: (before, adds, all) =>
      `Les rapports à ce sujet ont été comptés ${before} jusqu’ici ; celui-ci ajoute ${adds} : ${all} en tout.`,
    again: (question) =>
      `Vous avez déjà répondu ici à ${question}, dans une autre enquête ou avant que celle-ci ne change. Le hasard est tiré à nouveau pour cette enquête : les deux rapports ensemble révèlent donc plus qu’un seul.`,
    alike: (question, before) =>
      `Vous avez déjà répondu ici à ${before}, avec la même liste de réponses. Si ${question} demande la même chose, les deux rapports ensemble révèlent plus qu’un seul.`,
  },
  total: {
    decides: (question, decided, sure) =>
      `Votre réponse à ${question} décide aussi si ${list(decided)} vous ${decided.length > 1 ? "concernent" : "concerne"}. De toutes ces réponses, quelqu’un qui pensait 50:50 avant peut en être sûr à ${sure} au plus.`,
    title: "Tout ensemble",
    note: "Une question à laquelle vous avez déjà répondu ici est signalée ci-dessus si son nom ou sa liste de réponses est la même. Une question renommée avec une autre liste ne peut pas être reconnue.",
    short: (sure) => `Tout ensemble : ${sure}.`,
    sure: (percent) => `sûr à ${percent} au plus`,
    sureOpen: (percent) => `sûr à ${percent} au plus, hormis ce qui est envoyé ouvertement`,
    nothing: "Vous ne donnez rien jusqu’ici, et rien n’est envoyé.",
    one: (level, cost, worst) =>
      `Vous donnez une réponse, au niveau ${level}${cost && `, comptée ${cost}`}. ${worst}`,
    many: (shared, sum, cost) =>
      `Vous donnez ${answers(shared)} ; la somme de leurs niveaux est ${sum}${cost && `, comptée ${cost}`}.`,
    others: (sure) =>
      `Les réponses en disent aussi les unes sur les autres : quoi que quelqu’un ait estimé à 50:50 sur vous, il peut en être sûr à ${sure} au plus après toutes les réponses.`,
    othersOpen: (sure) =>
      `Les réponses en disent aussi les unes sur les autres : quoi que quelqu’un ait estimé à 50:50 sur vous, il peut en être sûr à ${sure} au plus après toutes les réponses, hormis ce qui est envoyé ouvertement.`,
    unspent: "Cet appareil n’a rien dépensé ici jusqu’à présent.",
    spent: (spent) => `Cet appareil a dépensé ${spent} ici jusqu’à présent.`,
    adds: (adds) => `Ce rapport ajoute ${adds} au plus.`,
    limit: (limit) => `Votre limite est ${limit}.`,
    granted: (granted) =>
      `Les rapports précédents y comptent pour ${granted}, comme si chaque réponse avait été nouvelle.`,
    over: "Par tant de tours de cette enquête (vide : pour toujours)",
    window: (rounds, limit, spent, granted) =>
      `Votre limite pour ${rounds} tours consécutifs de cette enquête est ${limit}. Les tours autour de celui-ci ont coûté ${spent} ; ${granted} compte pour cette limite, comme si chaque réponse avait été nouvelle.`,
    isSetOver: (limit, rounds) =>
      `Cet appareil ne dépensera jamais plus de ${limit} en ${rounds} tours consécutifs d’une enquête.`,
    set: "Fixer une limite pour cet appareil",
    most: "Ne jamais dépenser plus de",
    mostNote:
      "Elle compte ce qui est facturé pour tous les rapports que ce navigateur fait pour ce site, maintenant et plus tard : la somme de leurs niveaux, ou plus là où une question le dit. Elle peut être baissée plus tard, pas relevée.",
    setIt: "Fixer cette limite",
    isSet: (limit) => `Cet appareil ne dépensera jamais plus de ${limit}.`,
  },
  answering: {
    outside: "Hors de là, elle est ramenée à l’extrémité la plus proche.",
    grouped: "Seul son groupe est rapporté.",
    decides:
      "Vous ne donnez pas cette réponse : elle reste sur cet appareil et décide seulement quelles autres questions vous concernent.",
    later: (questions) => `Votre réponse à ${list(questions)} décide si cela vous concerne.`,
    away:
      "Cela ne vous concerne pas. « Sans objet » prend la place de votre réponse, avec la même protection : personne n’apprend si cela vous concerne.",
    appeared: (question) => `La question ${question} vous concerne.`,
    gone: (question) => `La question ${question} ne vous concerne pas.`,
    title: "Vos réponses",
    first:
      "Vos réponses restent sur cet appareil. Ce qui en sortira plus tard en est tiré au hasard.",
    sealing:
      "Sceller tire votre rapport au hasard et le garde sur cet appareil. Vous le verrez en entier avant de l’envoyer. Il est tiré une seule fois : un second tirage révélerait plus que le premier.",
    seal: "Sceller mon rapport",
    busy: "Votre rapport est tiré et scellé…",
    back: "Revenir à mes choix",
    backNote:
      "Revenir efface les réponses d’ici : ce que vous donnez ne doit pas dépendre d’elles.",
    wrong: (failed) =>
      count(failed, { one: "# réponse est à revoir.", other: "# réponses sont à revoir." }),
    menu: "Choisir…",
    textNote:
      "Un texte libre. Écrivez-le comme les autres : seul ce qui s’écrit pareil compte comme pareil.",
    inGroups: (between) =>
      `Un nombre de ${between}. Hors de là, il est ramené à l’extrémité la plus proche ; seul son groupe est rapporté.`,
    onSteps: (between, step) =>
      `Un nombre de ${between}. Hors de là, il est ramené à l’extrémité la plus proche ; entre des pas de ${step}, à un pas voisin.`,
  },
  entries: {
    items: (all, labels, rest) =>
      `Autant que vous voulez parmi ${all} : ${labels.join(", ")}${rest && ` et ${rest} de plus`}.`,
    keys: (between, all, labels, rest) =>
      `Un nombre de ${between} pour autant que vous voulez parmi ${all} : ${labels.join(", ")}${rest && ` et ${rest} de plus`}.`,
    side: (key, end) => `${key} : ${end}`,
    anyTexts: "Des textes libres, autant que vous voulez.",
    lines: "Un par ligne. N’en donner aucun est aussi une réponse. Écrivez-les comme d’autres le feraient : seul ce qui est écrit de la même façon compte comme identique.",
    tick: "Cochez tout ce qui convient. Ne rien cocher est aussi une réponse.",
    rate: (between) => `Un nombre de ${between} là où vous en avez un. N’en donner aucun est aussi une réponse.`,
    together: (all) => `Le rapport dit lesquels de ${all} éléments, seuls ou ensemble, vous avez.`,
    length: (most) => `S’il y en a plus de ${most}, ${most} sont tirées au hasard et comptent.`,
    none: "aucun",
    search: "Chercher dans la liste",
    found: (shown, all) => `${shown} sur ${all} sont affichées.`,
    nearer: (question) =>
      `${question} : certains nombres sont hors de ce qui peut être rapporté. Ils comptent comme l’extrémité la plus proche.`,
    range: (question) => `Combien d’entrées comptent au plus pour ${question}`,
    rangeNote:
      "Si vous en avez plus, ce nombre d’entrées est tiré au hasard. Plus d’entrées apportent plus de bruit pour la même protection. Le rapport indique ce nombre : choisissez-le quelle que soit votre réponse.",
  },
  changed: {
    title: "Ces réponses comptent autrement",
    /** @param {string} question @param {string} said @param {string} counts */
    counts: (question, said, counts) =>
      `${question} : ${said} est hors de ce qui peut être transmis. Cela compte comme ${counts}.`,
    nothing: "Rien n’est encore scellé, compté ni envoyé.",
    change: "Modifier mes réponses",
    go: "Sceller ainsi",
  },
  sealed: {
    title: "Votre rapport",
    ofRound: (round) => `Rapport du tour ${round}`,
    bytes: (whose) => `${whose}, octet par octet`,
    willBeSent: (n) =>
      `Voici tout ce qui sera envoyé, ${bytes(n)}. Vous pouvez l’envoyer ou le supprimer ; il n’est pas tiré à nouveau.`,
    wasSent: (n) => `Voici tout ce qui a été envoyé, ${bytes(n)}.`,
    was: (n) => `C’était votre rapport, ${bytes(n)}.`,
    send: "Envoyer",
    sending: "Envoi…",
    remove: "Supprimer mon rapport",
    deleting: "Suppression…",
    asking: "Nouvelle demande…",
    sure: "Supprimer mon rapport ?",
    sureNote:
      "Le supprimer pour de bon ? Il ne peut pas être tiré à nouveau, et vous ne pourrez plus participer à ce tour. Ce qu’il a pu révéler reste compté comme dépensé.",
    yes: "Oui, le supprimer",
    keep: "Le garder",
    others: (rounds) =>
      `L’envoi emporte ce que vous avez scellé auparavant sans l’envoyer : le rapport du tour ${rounds.join(", ")}. Supprimez-le d’abord s’il doit rester ici.`,
    receipt: "Reçu",
    receiptNote: (round) =>
      `Qui le montre peut faire supprimer le rapport du tour ${round}, et personne d’autre. Il reste dans ce navigateur ; gardez-en une copie si vous risquez d’en effacer les données. Ne le donnez à personne.`,
    copy: "Copier le reçu",
    copied: "Copié.",
    selected: "Il est sélectionné : copiez-le avec votre clavier.",
    save: "Enregistrer le reçu",
    saved: (file) => `Enregistré sous ${file}.`,
  },
  inWords: {
    title: "Ce qui a été envoyé, en mots",
    note: "Le hasard y a eu sa part. C’est pourquoi personne ne peut en déduire avec certitude ce que vous avez répondu.",
    noteOpen:
      "Le hasard y a eu sa part, sauf là où une réponse a été envoyée ouvertement. Des autres, personne ne peut déduire avec certitude ce que vous avez répondu.",
    one: (label) => `La réponse envoyée : ${label}`,
    set: (labels) => `L’ensemble envoyé : ${labels}`,
    bits: (labels) => `Oui a été envoyé pour : ${labels}`,
    none: "Oui n’a été envoyé pour aucune réponse",
    entries: (labels) => `La liste envoyée : ${labels}.`,
    blanks: (blanks) =>
      `Elle contient ${count(blanks, { one: "# case vide", other: "# cases vides" })}, sans entrée.`,
    stretch: (between) => `L’intervalle envoyé : ${between}`,
    number: (number) => `Le nombre envoyé : ${number}`,
    high: "Ce qui a été envoyé : plutôt haut",
    low: "Ce qui a été envoyé : plutôt bas",
    code: "Un code a été envoyé, qui vaut pour beaucoup de réponses à la fois.",
    cell: (labels) => labels.join(" + "),
  },
  outcomes: {
    here: "Votre rapport est gardé sur cet appareil et n’a pas été envoyé.",
    waits: (why) =>
      `Votre rapport est gardé sur cet appareil et sera envoyé quand vous serez en ligne et que cette page sera ouverte${why && ` (${why})`}.`,
    sealed: "Votre rapport est scellé. Rien n’a encore été envoyé.",
    accepted: "Votre rapport est arrivé. Merci.",
    duplicate: "Votre rapport était déjà arrivé, et compte une fois. Merci.",
    deletedBefore: "Ce rapport avait déjà été supprimé. Il n’est pas renvoyé.",
    refused: (why) => `Votre rapport n’a pas été accepté : ${why}. Il n’est pas renvoyé.`,
    deleted: "Votre rapport est supprimé. Le serveur l’a confirmé.",
    unknown:
      "Le serveur n’a plus ce rapport. Si son tour est clos depuis longtemps, les chiffres qui en sont tirés restent.",
    never: "Votre rapport est supprimé. Le serveur n’en a pas, et cet appareil ne l’envoie pas.",
    unconfirmed: (why) =>
      `Le serveur n’a pas encore confirmé que votre rapport est supprimé${why && ` (${why})`}.`,
    unsent: (why) =>
      `Votre rapport ne sera désormais jamais envoyé. Le serveur n’a pas encore confirmé qu’il n’en a pas${why && ` (${why})`}.`,
    tryAgain: "Veuillez réessayer.",
    later: "La demande sera répétée quand vous serez en ligne.",
    status: (status) => `statut ${status}`,
  },
  rhythm: {
    title: "Combien de fois vous répondez",
    why: "Cette enquête pose sans cesse la même question. Vous choisissez combien de fois vous participez ; à chaque fois, le hasard est tiré à nouveau. Moins vous répondez souvent, moins tous vos rapports révèlent ensemble.",
    choose: "Je réponds à",
    every: (every) => `un tour sur ${every}`,
    once: "Choisissez sans tenir compte de vos réponses. Votre appareil tire ensuite au hasard le tour où vous commencez. Les deux restent ainsi pour cette enquête, tant que ce navigateur garde ce qu’il retient. Si cela se perd, il tire à nouveau, et vos rapports ensemble peuvent révéler plus que ce qui est dit ici.",
    take: "Répondre à ce rythme",
    notNow: "Ce n’est pas votre tour",
    next: (every, round) => `Vous répondez à un tour sur ${every}. Le prochain est le tour ${round}.`,
    missed: "Un tour manqué n’est pas rattrapé.",
  },
  memory: {
    label: "Ce que ce navigateur retient",
    unspent: "Toutes les enquêtes de ce site : ce navigateur n’a rien dépensé jusqu’à présent.",
    spent: (spent) =>
      `Toutes les enquêtes de ce site : ce navigateur a dépensé ${spent} jusqu’à présent.`,
    volatile:
      "Ce navigateur ne promet pas de garder ce que cette page retient ici. Il peut l’effacer, par exemple si la place manque ou si vous ne visitez pas ce site pendant quelques jours. Le hasard serait alors tiré à nouveau pour des réponses déjà données, ce qui en dit plus sur vous, et le compte de ce que vous avez dépensé repartirait de zéro. Vous pouvez plutôt le déplacer dans un fichier.",
  },
  moving: {
    title: "Déplacer ce que ce navigateur retient, ou le faire venir ici",
    outTitle: "Le déplacer dans un fichier",
    outNote:
      "Le fichier contient vos réponses, rapports et reçus, ce que vous avez dépensé et votre limite, et seule votre phrase secrète l’ouvre. Ce navigateur ne participe plus ensuite, jusqu’à ce que vous rameniez le fichier : deux navigateurs qui continueraient tous deux tireraient séparément, et en diraient donc plus sur vous.",
    passphrase: "Phrase secrète",
    passphraseNote: (least) =>
      `Au moins ${least} caractères. Le mieux est quelques mots que personne ne devinerait. Sans elle personne ne peut ouvrir le fichier, pas même les responsables de cette page.`,
    repeat: "La phrase secrète encore une fois",
    differ: "Ce n’est pas la phrase secrète ci-dessus.",
    out: "Le déplacer hors de ce navigateur",
    working: "Cela prend un instant…",
    inTitle: "Faire venir un fichier",
    inNote:
      "Ne faites venir qu’un fichier que vous avez enregistré vous-même sur ce site : un fichier fait par quelqu’un d’autre peut décider de ce que disent vos rapports. Ce que ce navigateur retient déjà reste, et ce que les deux ont dépensé compte. Les rapports que vous n’aviez pas envoyés attendent que vous les envoyiez.",
    file: "Fichier",
    noFile: "Choisissez d’abord le fichier.",
    bring: "Le faire venir",
    arrived: (added) =>
      `C’est fait : ${count(added, { one: "# rapport est venu", other: "# rapports sont venus" })} avec.`,
    movedTitle: "Déplacé dans un fichier",
    moved: (file) =>
      `Ce que ce navigateur retenait pour ce site est maintenant dans le fichier ${file}. Ouvrez cette page dans l’autre navigateur et faites-y venir le fichier.`,
    check:
      "Regardez maintenant si le fichier est là. Sinon, enregistrez-le à nouveau : ce navigateur le garde, fermé par votre phrase secrète, jusqu’à ce que vous effaciez les données de ce site.",
    again: "Enregistrer le fichier à nouveau",
    once: "Ne faites venir le fichier qu’à un seul endroit, puis supprimez-le. Si une copie en est prise ailleurs, personne ne peut le remarquer, et elle en dirait plus sur vous. Vous pouvez aussi le ramener ici.",
  },
  invitation: {
    code: "Code d’invitation",
    note: "Cette enquête est réservée aux personnes invitées. Le code est dans le lien de votre invitation ; il ne fait pas partie de votre rapport.",
    linked:
      "Mais votre rapport est fait avec lui : qui connaît le code peut reconnaître votre rapport.",
    states: {
      used: [
        "Cette invitation a déjà servi",
        "Un rapport a été envoyé avec elle. Une invitation sert une seule fois, sur un seul appareil. Si vous l’avez envoyé depuis un autre navigateur, c’est là que vous pouvez voir ou supprimer votre rapport.",
      ],
      revoked: [
        "Cette invitation a été retirée",
        "La personne qui l’a envoyée l’a révoquée avant qu’elle ne serve.",
      ],
      unknown: [
        "Ce n’est pas une invitation à cette enquête",
        "Le lien a peut-être été coupé. Ouvrez-le de nouveau, en entier, tel qu’il est dans votre invitation.",
      ],
    },
    nothing: "Rien n’a été envoyé depuis cette page.",
    ask: "Si vous pensez que c’est une erreur, demandez à qui vous a invité :",
  },
  problems: {
    not_a_date: "Choisissez une date.",
    not_a_time: "Choisissez une heure.",
    unexpected: (error) => `Quelque chose s’est mal passé ici : ${error}`,
    unknown: (reason) => `Quelque chose s’est mal passé (${reason}).`,
    too_few_attributes: (least) =>
      `Pour participer, donnez au moins ${answers(least)}. Ou fermez cette page : rien n’a été envoyé.`,
    too_many_answers: (shared, most) =>
      `Vous donnez ${answers(shared)}, et cette enquête en accepte ${most} au plus. Omettez-en.`,
    repeated_attribute:
      "Cela serait rapporté deux fois, ici et dans une autre question. Omettez l’une des deux.",
    below_least: (level, least) =>
      `Avec si peu de réponses, cette enquête demande un niveau d’au moins ${least} chacune, et celui-ci est ${level}. Déplacez le curseur vers la droite, donnez une réponse de plus, ou omettez celle-ci.`,
    level_off_menu: (level) => `Cette enquête n’accepte pas le niveau ${level}. Choisissez-en un autre.`,
    over_budget: (sum, most) =>
      `La somme de vos niveaux est ${sum}, et cette enquête permet ${most} pour ce que vous donnez. Choisissez une protection plus forte pour une réponse, ou omettez-en une.`,
    over_limit: (sum, limit) =>
      `Ce rapport porterait ce que vous avez dépensé à ${sum}, et vous avez permis ${limit} au plus. Choisissez une protection plus forte, ou omettez davantage.`,
    over_window: (sum, limit, rounds) =>
      `Avec ce rapport, ${rounds} tours consécutifs compteraient ${sum}, et vous avez permis ${limit} au plus. Choisissez une protection plus forte, omettez davantage, ou attendez un tour suivant.`,
    not_due: (round) => `Ce n’est pas votre tour. Le prochain est le tour ${round}.`,
    bad_rounds: "Écrivez un nombre entier de tours, comme 13.",
    open_outputs:
      "Certaines réponses à cette question peuvent être envoyées ouvertement. Autorisez-le, ou omettez la question.",
    not_thousandths: "Écrivez un nombre supérieur à zéro, comme 8 ou 2,5.",
    range: "Choisissez l’un des intervalles.",
    not_drawn: "Cette question n’a pas été posée à cet appareil.",
    missing_value: "Veuillez répondre ici, ou revenez en arrière et omettez la question.",
    not_a_number: "Écrivez un nombre, comme 31257 ou 12,5.",
    unreadable:
      "Ce navigateur n’a pas laissé la page conserver quoi que ce soit. Son stockage est peut-être plein ou désactivé.",
    foreign_file: "Ce fichier n’a pas été enregistré par cette page. Rien n’a été changé.",
    damaged_file:
      "Ce fichier n’est pas complet. Rien n’a été changé. Enregistrez-le à nouveau là d’où il vient : ce navigateur-là l’a encore.",
    wrong_passphrase:
      "Cette phrase secrète n’ouvre pas le fichier, ou le fichier est abîmé. Rien n’a été changé.",
    short_passphrase: (least) => `Choisissez une phrase secrète d’au moins ${least} caractères.`,
    no_encryption:
      "Cette page n’a pas été ouverte par une adresse protégée (https) ; ce navigateur ne chiffre donc pas ici.",
    other_site: (site) => `Ce fichier concerne les enquêtes de ${site}. Faites-le venir là-bas. Rien n’a été changé.`,
    older_state:
      "Ce fichier est plus ancien que ce que ce navigateur retient : il est déjà venu ici, ou la suite s’est faite ailleurs. Rien n’a été changé.",
    forked_state:
      "Ce fichier et ce que ce navigateur retient viennent du même fichier, et tous deux ont continué. On ne peut pas les réunir. Rien n’a été changé.",
    moved:
      "Ce que ce navigateur retenait a été déplacé dans un fichier. Ramenez d’abord ce fichier, ou participez là où il est maintenant.",
    other_report: (round) =>
      `Ce fichier a un autre rapport du tour ${round} que ce navigateur : l’un des deux serait perdu. Rien n’a été changé.`,
    other_record:
      "Votre rapport de ce tour a déjà été scellé, peut-être dans une autre fenêtre. Il est montré tel quel.",
    no_answer: "Le serveur n’est pas joignable en ce moment.",
    no_plan: "Le serveur n’a pas dit ce qu’il demande.",
    token_needed:
      "Le serveur demande une invitation. Ouvrez à nouveau le lien de votre invitation, ou collez son code.",
    bad_token: "Ce n’est pas un code d’invitation : il contient une espace ou un autre caractère de trop.",
    plan_changed: "Ce qui est demandé a changé depuis votre première visite.",
    not_https: "Cette page n’a pas été ouverte par une adresse protégée (https) ; elle n’envoie donc rien.",
    bad_tag: "Ce que le serveur a envoyé a été endommagé en chemin.",
    redirect: "Le serveur renvoie à une autre adresse, que cette page ne suit pas.",
    not_canonical: "Le plan du serveur n’est pas lisible.",
    blank_label:
      "Dans cette enquête, un nom ou une réponse est vide. Vous ne pourriez pas voir ce que vous choisissez ; cette page n’y participe donc pas.",
    same_labels: (one, other) =>
      `Dans cette enquête, deux noms ou réponses se ressemblent (${one} et ${other}). Vous ne pourriez pas voir ce que vous choisissez ; cette page n’y participe donc pas.`,
    not_allowed: "Le plan du serveur contient quelque chose que cette page ne connaît pas.",
  },
};

export default texts;
