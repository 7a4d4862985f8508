/** What the page says, in German. */

import { grammar } from "../grammar.js";

const own = grammar("de");
const { count, either, list } = own;
/** @param {number} n */
const answers = (n) => count(n, { one: "# Antwort", other: "# Antworten" });
/** @param {number} n */
const bytes = (n) => count(n, { one: "# Byte", other: "# Bytes" });

/** @type {import("./en.js").Texts} */
const texts = {
  ...own,
  page: {
    lead: "Machen Sie mit, und bestimmen Sie selbst, wie viel Ihre Antworten verraten dürfen.",
    language: "Sprache",
    step: (at, all) => `Schritt ${at} von ${all}`,
    stopped: "Sie haben hier aufgehört",
    nothingSent: "Es wurde nichts gesendet. Sie können diese Seite schließen.",
    changed: "Die Umfrage hat sich geändert",
    changedHow:
      "Was gefragt wird oder wie es geschützt wird, ist nicht mehr so wie bei Ihrem ersten Besuch. Was Sie damals zugesagt haben, gilt dafür nicht. Sie können sich ansehen, was jetzt gefragt wird, und neu wählen, oder aufhören. Was Sie verbraucht haben, bleibt verbraucht.",
    changedDelete:
      "Wenn Sie weitermachen, können Sie auch einen früher gesendeten Bericht löschen.",
    stop: "Hier aufhören",
    seeNow: "Ansehen, was jetzt gefragt wird",
    broken: "Hier geht es nicht weiter",
    notKeeping: "Diese Seite kann hier nichts speichern",
    notNow: "Gerade wurde nichts gesendet.",
    whyKeep:
      "Sie muss mitzählen, was Sie verraten haben, damit es nie mehr wird, als Sie wollen. Vielleicht liegt es an einem privaten Fenster: Versuchen Sie es in einem normalen. Es wurde nichts gesendet.",
    again: "Noch einmal versuchen",
    round: (round) => `Runde ${round}`,
    roundBefore: (round) => `Runde ${round} der früheren Umfrage`,
    earlier: (count) => `Ihre früheren Berichte (${count})`,
  },
  about: {
    title: "Was gefragt wird",
    drawn: (all, drawn) =>
      `Diese Umfrage hat ${count(all, { one: "# Frage", other: "# Fragen" })}. Ihr Gerät hat davon ${drawn} zufällig ausgewählt; die anderen werden Ihnen nicht gestellt.`,
    choose: "Sie bestimmen, welche Antworten Sie geben und wie viel jede verraten darf.",
    asker: "Wer fragt",
    noAsker: "Wer diese Seite betreibt, hat nicht gesagt, wer das ist.",
    purpose: "Wozu",
    noPurpose: "Wer diese Seite betreibt, hat nicht gesagt, wozu.",
    contact: "Kontakt",
    retention: "Wie lange es aufbewahrt wird",
    kept: "Berichte werden aufbewahrt, bis die Absender sie löschen.",
    removed: (days) =>
      `Berichte werden ${count(days, { one: "# Tag", other: "# Tage" })} nach dem Ende ihrer Runde entfernt; die daraus gewonnenen Zahlen bleiben.`,
    notice: "Datenschutzhinweis",
    further: "Weitere Fragen",
    learn: "Was andere erfahren können",
    others: "Wer diese Umfrage betreibt, ein Hacker, ein Arbeitgeber, ein Gericht:",
    exact: "Ihre genaue Antwort",
    exactNo: "Nein, nie mit Gewissheit.",
    exactOpen: "Nein, nie mit Gewissheit, sofern sie geschützt ist.",
    exactNearly: "Beim geringsten Schutz, den es gibt, beinahe.",
    openOnes: (questions) =>
      `Manche Antworten auf ${list(questions)} können offen gesendet werden, so wie sie sind.`,
    guess: "Eine bessere Vermutung",
    guessYes: "Ja, aber höchstens so viel, wie Sie zulassen.",
    guessOpen: "Ja, aber höchstens so viel, wie Sie zulassen, außer sie wird offen gesendet.",
    guessNext: "Der nächste Schritt zeigt, wie viel das ist.",
    again: "Spätere Runden",
    repeats: "Eine Antwort, die gleich bleibt, wird gesendet wie zuvor und verrät selbst nicht mehr.",
    repeatsWhy:
      "Aber gleiche Berichte zeigen, dass sie gleich blieb, und verschiedene, dass sie sich änderte. Was das über viele Runden verrät, ist durch nichts begrenzt.",
    rounded: "Eine Zahl, die sich ein wenig ändert, ist in der Regel dieselbe Antwort: Wie sie gerundet wird, wird einmal ausgelost und bleibt auf diesem Gerät.",
    grouped: (groups, owners) =>
      `Ihre Berichte aller Runden nennen außerdem eine von ${groups} Gruppen. Sie wird einmal ausgelost, ohne auf Ihre Antworten zu sehen, und etwa ${owners} Menschen teilen sie.`,
    cohorted: (cohorts) =>
      `Ihre Berichte aller Runden nennen außerdem eine von ${cohorts} Kohorten, die einmal ausgelost wird, ohne auf Ihre Antworten zu sehen.`,
    fresh: "Jede Runde verrät noch einmal so viel.",
    freshWhy: "Die Stufen aller Runden zählen zusammen, ob sich Ihre Antwort ändert oder nicht.",
    rotates: "Sie antworten nur in wenigen Runden, und was diese verraten, zählt zusammen.",
    rotatesWhy: "Wann sich Ihre Antwort ändert, ist so gut geschützt wie die Antwort selbst.",
    leftOut: "Was Sie weggelassen haben",
    yes: "Ja.",
    levelsSecret: "Wie viel jede Antwort verraten darf, steht nicht im Bericht.",
    levelsSent: "Im Bericht steht auch, wie viel jede Antwort verraten darf.",
    whose: "Welcher Bericht Ihrer ist",
    whoseCode: "Ja, wenn jemand den Code Ihrer Einladung kennt.",
    whoseWhy:
      "Ihr Bericht wird so gebildet, wie es nur dieser Code vorgibt, damit niemand das Ergebnis durch eine andere Wahl verzerren kann.",
    chance:
      "Ihr Gerät mischt Zufall in Ihre Antworten, bevor irgendetwas es verlässt. Das geschieht auf dieser Seite. Niemand erfährt, ob das Gesendete Ihre eigene Antwort ist.",
    chanceOpen:
      "Ihr Gerät mischt Zufall in Ihre Antworten, bevor irgendetwas es verlässt. Das geschieht auf dieser Seite. Außer bei offen gesendeten Antworten erfährt niemand, ob das Gesendete Ihre eigene Antwort ist.",
    trust: "Woher weiß ich das?",
    trustWhy:
      "Sie sehen Ihren Bericht Byte für Byte, bevor Sie ihn senden. Die Entwicklerwerkzeuge Ihres Browsers zeigen jede Anfrage dieser Seite und den Code, der hier läuft. Aber wer diese Seite betreibt, liefert Ihnen auch diesen Code und sieht, wie bei jeder Website, dass Ihr Gerät hier war. Wenn Sie ihm das nicht anvertrauen wollen, machen Sie nicht mit.",
    next: "Auswählen, was ich angebe",
    balanced: (sure) =>
      `Oder geben Sie alles mit ausgewogenem Schutz an: Allein aus einer Antwort kann jemand, der vorher 50:50 vermutet hat, sich danach höchstens zu ${sure} sicher sein. Bis Sie antworten, können Sie das noch ändern.`,
    closed: "Zurzeit werden keine Berichte angenommen.",
    results: "Zu den bisherigen Ergebnissen",
  },
  rewording: {
    title: "Nur der Wortlaut hat sich geändert",
    how:
      "Diese Umfrage fragt nach denselben Arten von Antworten wie die, die Sie schon beantwortet haben, mit demselben Schutz, aber in anderen Worten.",
    before: "Vorher",
    now: "Jetzt",
    elsewhere: "Was sich geändert hat, steht nicht in der Sprache, in der Sie lesen.",
    ask:
      "Wird noch dasselbe gefragt? Dann wird eine Antwort, die Sie schon gegeben haben, wieder genauso berichtet, ohne dass es etwas kostet. Wenn nicht, ist es eine neue Umfrage: Der Zufall wird neu gezogen, und was Ihre Antworten verraten dürfen, wird neu gezählt. Im Zweifel antworten Sie mit Nein.",
    yes: "Ja, es wird noch dasselbe gefragt",
    no: "Nein, es ist eine neue Umfrage",
    answered: "Sie haben in dieser Runde schon geantwortet",
    answeredHow:
      "Ihr Bericht von vor der Änderung des Wortlauts zählt für diese Runde. Sie finden ihn unten.",
  },
  words: {
    date: (between) => `Ein Datum: ${between}.`,
    time: (between) => `Eine Uhrzeit: ${between}.`,
    grouped: (count, edges) => `Berichtet als eine von ${count} Gruppen, die bei ${list(edges)} beginnen.`,
    notApplicable: "trifft nicht zu",
    answered: (question, answers) => `${question}: ${either(answers)}`,
    applies: (conditions) =>
      `Nur für Menschen mit diesen Antworten: ${conditions.join("; ")}. Für alle anderen gilt „trifft nicht zu“ als Antwort, mit demselben Schutz.`,
    strengths: ["Sehr stark", "Stark", "Ausgewogen", "Leicht", "Gering", "Kaum"],
    protections: [
      "Sehr starker Schutz",
      "Starker Schutz",
      "Ausgewogener Schutz",
      "Leichter Schutz",
      "Geringer Schutz",
      "Kaum Schutz",
    ],
    someOnly: (protection) => `${protection} nur mancher Antworten`,
    level: (level) => `(Stufe ${level})`,
    charged: (level, cost) => `(Stufe ${level}, angerechnet als ${cost})`,
    spoken: (protection, sure) => `${protection}: höchstens zu ${sure} sicher`,
    quoted: (words) => `„${words}“`,
    together: (questions) => `${list(questions)}, zusammen`,
    between: (low, high) => `${low} bis ${high}`,
    part: (question, asked) => `${question}: ${asked}`,
    text: "Beliebiger Text.",
    oneOf: (count, labels) => `Eine von ${count}: ${labels.join(", ")}.`,
    oneOfMany: (count, labels, more) => `Eine von ${count}: ${labels.join(", ")} und ${more} weitere.`,
    number: (between) => `Eine Zahl von ${between}.`,
    numberInGroups: (between, count, edges) =>
      `Eine Zahl von ${between}, berichtet als eine von ${count} Gruppen, die bei ${list(edges)} beginnen.`,
    idldp:
      "Nicht alle Antworten sind gleich geschützt: Zwischen zweien zählt der stärkere Schutz.",
    uldp: (labels) =>
      `Nur ${list(labels)} ${labels.length > 1 ? "sind" : "ist"} geschützt. Jede andere Antwort kann offen gesendet werden, so wie sie ist.`,
    metric:
      "Nicht alle Antworten sind gleich geschützt: Antworten, die nahe beieinander liegen, sind stärker geschützt, weit entfernte schwächer, als die Stufe sagt.",
    openPicture: (open, held) =>
      `Von 100 Menschen mit einer ungeschützten Antwort senden ${open} sie offen, so wie sie ist; ${held} senden eine geschützte, zufällig gewählte. Menschen mit einer geschützten Antwort senden immer eine geschützte.`,
    bits: (kept, also) =>
      `Zu jeder möglichen Antwort wird Ja oder Nein gesendet. Von 100 Menschen mit Ihrer Antwort senden ${kept} dafür ein Ja; von 100 mit einer anderen tun es ${also} auch, durch Zufall. Die großen Punkte sind der Unterschied.`,
    cover: (kept, also) =>
      `Gesendet wird eine Liste, zum Teil durch Zufall. Von 100 Personen, die einen Eintrag haben, senden ${kept} eine Liste mit ihm; von 100 ohne ihn ${also} ebenfalls. Die großen Punkte sind der Unterschied.`,
    cells: (kept, also) =>
      `Einträge kommen in Gruppen, die sich viele verschiedene teilen, und eine Liste von Gruppen wird gesendet, zum Teil durch Zufall. Von 100 Menschen mit einem Eintrag senden ${kept} eine Liste mit seiner Gruppe; von 100 ohne ihn tun es ${also} oder etwas mehr. Die großen Punkte sind der Unterschied.`,
    guesses: (right) =>
      `Von 100 Vermutungen zwischen zwei Antworten sind 50 schon durch Zufall richtig; mit dieser Antwort im Mittel höchstens ${right}. Die großen Punkte sind das, was hinzukommt.`,
    one: (own, others) =>
      `Von 100 Menschen mit Ihrer Antwort senden ${own} sie; ${others} senden eine andere, zufällig gewählte.`,
    set: (own, others, count) =>
      `Von 100 Menschen mit Ihrer Antwort senden ${own} eine Auswahl von ${count} Antworten, die sie enthält; ${others} senden eine zufällige Auswahl ohne sie.`,
    group: (own, others, count) =>
      `Alle Antworten werden zufällig auf ${count} Gruppen verteilt, und eine Gruppe wird gesendet. Von 100 Menschen mit Ihrer Antwort senden ${own} die Gruppe, die sie enthält; ${others} senden eine andere, zufällig gewählte.`,
    near: (own, others) =>
      `Von 100 Menschen mit Ihrer Zahl senden ${own} eine aus dem Bereich um sie herum; ${others} senden eine zufällige von anderswo. Je stärker der Schutz, desto breiter der Bereich.`,
    other: (own) =>
      `Von 100 Menschen mit Ihrer Antwort senden ${own} einen Bericht, der für sie spricht.`,
    worst: (sure) =>
      `Allein aus dieser Antwort kann jemand, der vorher 50:50 vermutet hat, sich danach höchstens zu ${sure} sicher sein.`,
    worstOpen: (labels, sure) =>
      `Geschützt: ${list(labels)}. Jede andere Antwort kann offen gesendet werden, so wie sie ist. Wird eine geschützte gesendet, kann jemand, der vorher 50:50 vermutet hat, sich danach höchstens zu ${sure} sicher sein.`,
    apart:
      "Das gilt für die zwei Antworten, die sich am besten unterscheiden lassen; andere lassen sich schlechter unterscheiden.",
    farthest:
      "Das gilt für die zwei am weitesten entfernten Antworten; nähere lassen sich schlechter unterscheiden.",
    worthMean: (people, bare) =>
      `Wenn alle das wählen, zeigen etwa ${people} Menschen den Mittelwert auf ±2\u00a0% des Zahlenbereichs genau, in 19 von 20 Fällen; ohne Schutz genügen ${bare}.`,
    worthShare: (people, bare) =>
      `Wenn alle das wählen, zeigen etwa ${people} Menschen einen Anteil auf ±2 Punkte genau, in 19 von 20 Fällen; ohne Schutz genügen ${bare}.`,
  },
  choosing: {
    title: "Auswählen, was ich angebe",
    first:
      "Danach werden Sie nach Ihren Antworten gefragt, und nur nach denen, die Sie angeben wollen.",
    level: (examples) =>
      `Wie viel eine Antwort verraten darf, legt eine Zahl fest: ihre Stufe. Denken Sie an etwas über Sie, das jemand für 50:50 hält. Nach einer Antwort kann er sich höchstens so sicher sein: ${examples.map(([level, sure]) => `zu ${sure} bei Stufe ${level}`).join(", ")}. Je niedriger die Stufe, desto stärker der Schutz.`,
    least: (least) => `Geben Sie mindestens ${answers(least)}, um mitzumachen.`,
    sums: (sum) => `Alle Stufen zusammen dürfen ${sum} ergeben.`,
    sumsEach: (sum) => `Alle Stufen zusammen dürfen für jede angegebene Antwort ${sum} ergeben.`,
    disclosed:
      "Im Bericht steht auch, was Sie hier wählen. Machen Sie es deshalb nicht davon abhängig, was Sie antworten werden.",
    presets: "In einem Schritt",
    balanced: "Alles angeben, mit ausgewogenem Schutz",
    evenly: "Gleichmäßig auf meine Angaben verteilen",
    evenlyAll: "Alles angeben, gleichmäßig verteilt",
    scale: "Alle Stufen senken, bis sie passen",
    done: {
      balanced: "Alles wird mit ausgewogenem Schutz angegeben.",
      evenly: "Alle Angaben haben dieselbe Stufe.",
      scaled: "Die Stufen sind gesenkt. Sie passen jetzt.",
    },
    next: "Weiter zu den Fragen",
    back: "Zurück zu dem, was gefragt wird",
    wrong: "Zuerst muss etwas geändert werden: siehe die Meldung weiter oben.",
  },
  choice: {
    slider: (questions) => `Wie viel ${list(questions)} verraten darf`,
    leave: "Weglassen",
    share: "Angeben",
    consent: (labels) =>
      `Ich erlaube hier offene Berichte. Ein Bericht, der eine andere Antwort als ${labels} nennt, ist offen: Er ist wahr, wer ihn liest, kennt diese Antwort, und keine Stufe und keine Obergrenze beschränkt das.`,
    range: (question) => `Zahlenbereich für ${question}`,
    rangeNote:
      "Ein engerer verrät bei gleichem Schutz mehr. Zahlen außerhalb werden an das nähere Ende verschoben. Der Bericht nennt ihn: Wählen Sie ihn unabhängig von Ihrer Antwort.",
    adds: (before, adds, all) =>
      `Berichte darüber wurden bisher mit ${before} verbucht; dieser fügt ${adds} hinzu: zusammen ${all}.`,
    again: (question) =>
      `${question} haben Sie hier schon beantwortet, in einer anderen Umfrage oder bevor diese geändert wurde. Für diese Umfrage wird der Zufall neu gezogen; beide Berichte zusammen verraten deshalb mehr als einer.`,
    alike: (question, before) =>
      `${before} haben Sie hier schon beantwortet, mit derselben Liste von Antworten. Wenn ${question} dasselbe fragt, verraten beide Berichte zusammen mehr als einer.`,
  },
  total: {
    decides: (question, decided, sure) =>
      `Ihre Antwort auf ${question} entscheidet auch, ob ${list(decided)} auf Sie ${decided.length > 1 ? "zutreffen" : "zutrifft"}. Wer vorher 50:50 vermutete, kann aus diesen Antworten zusammen höchstens zu ${sure} sicher über sie sein.`,
    title: "Alles zusammen",
    note: "Auf eine Frage, die Sie hier schon beantwortet haben, wird oben hingewiesen, wenn ihr Name oder ihre Liste von Antworten gleich ist. Eine umbenannte mit anderer Liste lässt sich nicht erkennen.",
    short: (sure) => `Alles zusammen: höchstens ${sure}.`,
    sure: (percent) => `zu ${percent} sicher`,
    sureOpen: (percent) => `zu ${percent} sicher, abgesehen von offen Gesendetem`,
    nothing: "Bisher geben Sie nichts an, und nichts wird gesendet.",
    one: (level, cost, worst) =>
      `Sie geben eine Antwort an, auf Stufe ${level}${cost && `, angerechnet als ${cost}`}. ${worst}`,
    many: (shared, sum, cost) =>
      `Sie geben ${answers(shared)} an; ihre Stufen ergeben zusammen ${sum}${cost && `, angerechnet als ${cost}`}.`,
    others: (sure) =>
      `Antworten sagen auch etwas übereinander: Was immer jemand über Sie vorher für 50:50 hielt, nach allen Antworten kann er sich höchstens zu ${sure} sicher sein.`,
    othersOpen: (sure) =>
      `Antworten sagen auch etwas übereinander: Was immer jemand über Sie vorher für 50:50 hielt, nach allen Antworten kann er sich höchstens zu ${sure} sicher sein, abgesehen von offen Gesendetem.`,
    unspent: "Dieses Gerät hat hier bisher nichts verbraucht.",
    spent: (spent) => `Dieses Gerät hat hier bisher ${spent} verbraucht.`,
    adds: (adds) => `Mit diesem Bericht kommen höchstens ${adds} hinzu.`,
    limit: (limit) => `Ihre Obergrenze ist ${limit}.`,
    granted: (granted) =>
      `Darauf werden frühere Berichte mit ${granted} angerechnet, als wäre jede Antwort neu gewesen.`,
    over: "In je so vielen Runden dieser Umfrage (leer: für immer)",
    window: (rounds, limit, spent, granted) =>
      `Ihre Grenze für je ${rounds} Runden dieser Umfrage ist ${limit}. Die Runden um diese herum haben ${spent} verbraucht; auf die Grenze angerechnet wird ${granted}, als wäre jede Antwort neu gewesen.`,
    isSetOver: (limit, rounds) =>
      `Dieses Gerät wird in je ${rounds} Runden einer Umfrage nie mehr als ${limit} verbrauchen.`,
    set: "Eine Obergrenze für dieses Gerät festlegen",
    most: "Nie mehr verbrauchen als",
    mostNote:
      "Gezählt wird, was für alle Berichte dieses Browsers auf dieser Website angerechnet wird, jetzt und später: die Summe ihrer Stufen, oder mehr, wo es bei einer Frage steht. Sie lässt sich später senken, nicht erhöhen.",
    setIt: "Diese Obergrenze festlegen",
    isSet: (limit) => `Dieses Gerät wird nie mehr als ${limit} verbrauchen.`,
  },
  answering: {
    outside: "Was außerhalb liegt, wird an das nähere Ende verschoben.",
    grouped: "Berichtet wird nur die Gruppe.",
    decides:
      "Diese Antwort geben Sie nicht an: Sie bleibt auf diesem Gerät und entscheidet nur, welche anderen Fragen auf Sie zutreffen.",
    later: (questions) => `Ob das auf Sie zutrifft, hängt von Ihrer Antwort auf ${list(questions)} ab.`,
    away:
      "Das trifft auf Sie nicht zu. An die Stelle Ihrer Antwort tritt „trifft nicht zu“, mit demselben Schutz: Niemand erfährt, ob es zutrifft.",
    appeared: (question) => `Die Frage ${question} trifft auf Sie zu.`,
    gone: (question) => `Die Frage ${question} trifft auf Sie nicht zu.`,
    title: "Ihre Antworten",
    first:
      "Ihre Antworten bleiben auf diesem Gerät. Was es später verlässt, wird durch Zufall aus ihnen gezogen.",
    sealing:
      "Beim Versiegeln wird Ihr Bericht gezogen und auf diesem Gerät gespeichert. Sie sehen ihn ganz, bevor Sie ihn senden. Er wird nur einmal gezogen: Ein zweites Mal würde mehr verraten als das erste.",
    seal: "Meinen Bericht versiegeln",
    busy: "Ihr Bericht wird gezogen und versiegelt …",
    back: "Zurück zur Auswahl",
    backNote:
      "Beim Zurückgehen werden die Antworten hier gelöscht: Was Sie angeben, darf nicht von ihnen abhängen.",
    wrong: (failed) =>
      count(failed, { one: "# Antwort passt noch nicht.", other: "# Antworten passen noch nicht." }),
    menu: "Auswählen …",
    textNote:
      "Beliebiger Text. Schreiben Sie ihn wie andere auch: Nur was gleich geschrieben ist, zählt als gleich.",
    inGroups: (between) =>
      `Eine Zahl von ${between}. Liegt sie außerhalb, wird sie an das nähere Ende verschoben; berichtet wird nur ihre Gruppe.`,
    onSteps: (between, step) =>
      `Eine Zahl von ${between}. Liegt sie außerhalb, wird sie an das nähere Ende verschoben, zwischen Schritten von ${step} auf einen Schritt daneben.`,
  },
  entries: {
    items: (all, labels, rest) =>
      `Beliebig viele von ${all}: ${labels.join(", ")}${rest && ` und ${rest} weitere`}.`,
    keys: (between, all, labels, rest) =>
      `Eine Zahl von ${between} für beliebig viele von ${all}: ${labels.join(", ")}${rest && ` und ${rest} weitere`}.`,
    side: (key, end) => `${key}: ${end}`,
    anyTexts: "Beliebige Texte, so viele Sie möchten.",
    lines: "Jeden in eine eigene Zeile. Auch gar keiner ist eine Antwort. Schreiben Sie sie wie andere: Nur was gleich geschrieben ist, zählt als gleich.",
    tick: "Kreuzen Sie alles an, was zutrifft. Auch nichts anzukreuzen ist eine Antwort.",
    rate: (between) => `Eine Zahl von ${between}, wo Sie eine haben. Auch gar keine ist eine Antwort.`,
    together: (all) => `Berichtet wird, welche von ${all} Einträgen, einzeln oder zusammen, Sie haben.`,
    length: (most) => `Von mehr als ${most} werden ${most} durch Zufall gezogen und zählen.`,
    none: "keine",
    search: "In der Liste suchen",
    found: (shown, all) => `${shown} von ${all} werden gezeigt.`,
    nearer: (question) =>
      `${question}: Einige Zahlen liegen außerhalb dessen, was berichtet werden kann. Sie zählen als das nähere Ende.`,
    range: (question) => `Wie viele Einträge höchstens zählen bei ${question}`,
    rangeNote:
      "Haben Sie mehr, werden so viele durch Zufall gezogen. Mehr Einträge bringen bei gleichem Schutz mehr Rauschen. Der Bericht nennt diese Anzahl: Wählen Sie sie unabhängig von Ihrer Antwort.",
  },
  changed: {
    title: "Diese Antworten zählen als andere",
    /** @param {string} question @param {string} said @param {string} counts */
    counts: (question, said, counts) =>
      `${question}: ${said} liegt außerhalb dessen, was berichtet werden kann. Es zählt als ${counts}.`,
    nothing: "Noch ist nichts versiegelt, angerechnet oder gesendet.",
    change: "Antworten ändern",
    go: "So versiegeln",
  },
  sealed: {
    title: "Ihr Bericht",
    ofRound: (round) => `Bericht der Runde ${round}`,
    bytes: (whose) => `${whose}, Byte für Byte`,
    willBeSent: (n) =>
      `Das ist alles, was gesendet wird, ${bytes(n)}. Sie können es senden oder löschen; es wird nicht noch einmal gezogen.`,
    wasSent: (n) => `Das ist alles, was gesendet wurde, ${bytes(n)}.`,
    was: (n) => `Das war Ihr Bericht, ${bytes(n)}.`,
    send: "Senden",
    sending: "Wird gesendet …",
    remove: "Meinen Bericht löschen",
    deleting: "Wird gelöscht …",
    asking: "Es wird noch einmal gefragt …",
    sure: "Meinen Bericht löschen?",
    sureNote:
      "Endgültig löschen? Er kann nicht noch einmal gezogen werden, und an dieser Runde können Sie nicht noch einmal teilnehmen. Was er verraten haben kann, bleibt als verbraucht gezählt.",
    yes: "Ja, löschen",
    keep: "Behalten",
    others: (rounds) =>
      `Mitgesendet wird, was Sie früher versiegelt und nicht gesendet haben: der Bericht der Runde ${rounds.join(", ")}. Löschen Sie ihn zuerst, wenn er hier bleiben soll.`,
    receipt: "Quittung",
    receiptNote: (round) =>
      `Wer sie vorzeigt, kann den Bericht der Runde ${round} löschen lassen, und niemand sonst. Sie bleibt in diesem Browser; heben Sie eine Kopie auf, falls Sie seine Daten einmal löschen. Geben Sie sie nicht weiter.`,
    copy: "Quittung kopieren",
    copied: "Kopiert.",
    selected: "Sie ist markiert: Kopieren Sie sie mit der Tastatur.",
    save: "Quittung speichern",
    saved: (file) => `Gespeichert als ${file}.`,
  },
  inWords: {
    title: "Was gesendet wurde, in Worten",
    note: "Der Zufall hat mitgewirkt. Deshalb kann niemand mit Gewissheit daran ablesen, was Sie geantwortet haben.",
    noteOpen:
      "Der Zufall hat mitgewirkt, außer wo eine Antwort offen gesendet wurde. An allen anderen kann niemand mit Gewissheit ablesen, was Sie geantwortet haben.",
    one: (label) => `Die gesendete Antwort: ${label}`,
    set: (labels) => `Die gesendete Auswahl: ${labels}`,
    bits: (labels) => `Ja wurde gesendet für: ${labels}`,
    none: "Ja wurde für keine Antwort gesendet",
    entries: (labels) => `Die gesendete Liste: ${labels}.`,
    blanks: (blanks) =>
      `Darin ${count(blanks, { one: "# Platzhalter, der", other: "# Platzhalter, die" })} für keinen Eintrag ${blanks === 1 ? "steht" : "stehen"}.`,
    stretch: (between) => `Der gesendete Bereich: ${between}`,
    number: (number) => `Die gesendete Zahl: ${number}`,
    high: "Gesendet wurde: eher hoch",
    low: "Gesendet wurde: eher niedrig",
    code: "Gesendet wurde ein Code, der für viele Antworten zugleich steht.",
    cell: (labels) => labels.join(" + "),
  },
  outcomes: {
    here: "Ihr Bericht ist auf diesem Gerät gespeichert und wurde nicht gesendet.",
    waits: (why) =>
      `Ihr Bericht ist auf diesem Gerät gespeichert und wird gesendet, sobald Sie online sind und diese Seite offen ist${why && ` (${why})`}.`,
    sealed: "Ihr Bericht ist versiegelt. Noch wurde nichts gesendet.",
    accepted: "Ihr Bericht ist angekommen. Vielen Dank.",
    duplicate: "Ihr Bericht war schon angekommen und zählt einmal. Vielen Dank.",
    deletedBefore: "Dieser Bericht war schon gelöscht worden. Er wird nicht noch einmal gesendet.",
    refused: (why) =>
      `Ihr Bericht wurde nicht angenommen: ${why}. Er wird nicht noch einmal gesendet.`,
    deleted: "Ihr Bericht ist gelöscht. Die Gegenstelle hat es bestätigt.",
    unknown:
      "Die Gegenstelle hat diesen Bericht nicht mehr. Wenn seine Runde schon lange beendet ist, bleiben die daraus gewonnenen Zahlen.",
    never: "Ihr Bericht ist gelöscht. Die Gegenstelle hat keinen, und dieses Gerät sendet ihn nicht.",
    unconfirmed: (why) =>
      `Die Gegenstelle hat noch nicht bestätigt, dass Ihr Bericht gelöscht ist${why && ` (${why})`}.`,
    unsent: (why) =>
      `Ihr Bericht wird ab jetzt nie gesendet. Die Gegenstelle hat noch nicht bestätigt, dass sie keinen hat${why && ` (${why})`}.`,
    tryAgain: "Bitte versuchen Sie es noch einmal.",
    later: "Es wird noch einmal gefragt, sobald Sie online sind.",
    status: (status) => `Status ${status}`,
  },
  rhythm: {
    title: "Wie oft Sie antworten",
    why: "Diese Umfrage fragt immer wieder das Gleiche. Sie bestimmen, wie oft Sie mitmachen; jedes Mal wird der Zufall neu gezogen. Je seltener Sie antworten, desto weniger verraten alle Ihre Berichte zusammen.",
    choose: "Ich antworte in",
    every: (every) => `einer von je ${every} Runden`,
    once: "Wählen Sie unabhängig davon, was Sie antworten. Ihr Gerät zieht dann durch Zufall, in welcher Runde Sie anfangen. Beides bleibt für diese Umfrage so, solange dieser Browser behält, was er sich merkt. Geht das verloren, zieht er neu, und Ihre Berichte zusammen können mehr verraten, als hier steht.",
    take: "So oft antworten",
    notNow: "Dies ist nicht Ihre Runde",
    next: (every, round) =>
      `Sie antworten in einer von je ${every} Runden. Ihre nächste ist Runde ${round}.`,
    missed: "Eine Runde, die Sie auslassen, wird nicht nachgeholt.",
  },
  memory: {
    label: "Was dieser Browser sich merkt",
    unspent: "Alle Umfragen dieser Website zusammen: Dieser Browser hat bisher nichts verbraucht.",
    spent: (spent) =>
      `Alle Umfragen dieser Website zusammen: Dieser Browser hat bisher ${spent} verbraucht.`,
    volatile:
      "Dieser Browser verspricht nicht zu behalten, was diese Seite sich hier merkt. Er kann es löschen, etwa wenn der Platz knapp wird oder wenn Sie diese Website einige Tage nicht besuchen. Dann würde für gegebene Antworten der Zufall neu gezogen, was mehr über Sie verrät, und gezählt würde wieder ab null. Sie können es stattdessen in eine Datei verschieben.",
  },
  moving: {
    title: "Verschieben oder hereinholen, was dieser Browser sich merkt",
    outTitle: "In eine Datei verschieben",
    outNote:
      "Die Datei enthält Ihre Antworten, Berichte, Quittungen, was Sie verbraucht haben und Ihre Grenze, und nur Ihr Passwort öffnet sie. Dieser Browser nimmt danach nicht mehr teil, bis Sie die Datei zurückholen: Zwei Browser, die beide weitermachen, würden getrennt ziehen und so mehr über Sie verraten.",
    passphrase: "Passwort",
    passphraseNote: (least) =>
      `Mindestens ${least} Zeichen. Am besten sind ein paar Wörter, die niemand errät. Ohne es kann niemand die Datei öffnen, auch nicht, wer diese Seite betreibt.`,
    repeat: "Noch einmal das Passwort",
    differ: "Das ist nicht das Passwort von oben.",
    out: "Aus diesem Browser verschieben",
    working: "Das dauert einen Moment …",
    inTitle: "Eine Datei hereinholen",
    inNote:
      "Holen Sie nur eine Datei herein, die Sie selbst auf dieser Website gespeichert haben: Eine fremde kann bestimmen, was Ihre Berichte sagen. Was dieser Browser sich bis dahin gemerkt hat, bleibt, und gezählt wird, was beide verbraucht haben. Berichte, die Sie noch nicht gesendet hatten, warten darauf, dass Sie sie senden.",
    file: "Datei",
    noFile: "Wählen Sie zuerst die Datei.",
    bring: "Hereinholen",
    arrived: (added) =>
      `Es ist da: ${count(added, { one: "# Bericht kam", other: "# Berichte kamen" })} mit.`,
    movedTitle: "In eine Datei verschoben",
    moved: (file) =>
      `Was dieser Browser sich für diese Website gemerkt hatte, ist jetzt in der Datei ${file}. Öffnen Sie diese Seite im anderen Browser, und holen Sie die Datei dort herein.`,
    check:
      "Sehen Sie jetzt nach, ob die Datei da ist. Wenn nicht, speichern Sie sie noch einmal: Dieser Browser behält sie, durch Ihren Passwort verschlossen, bis Sie die Daten dieser Website löschen.",
    again: "Die Datei noch einmal speichern",
    once: "Holen Sie die Datei nur an einem Ort herein, und löschen Sie sie dann. Wird anderswo eine Kopie hereingeholt, kann das niemand bemerken, und es verrät mehr über Sie. Sie können sie auch hierher zurückholen.",
  },
  invitation: {
    code: "Einladungscode",
    note: "Diese Umfrage ist nur für Eingeladene. Der Code steht im Link Ihrer Einladung; er ist nicht Teil Ihres Berichts.",
    linked:
      "Aber Ihr Bericht wird mit ihm gebildet: Wer den Code kennt, kann Ihren Bericht erkennen.",
    states: {
      used: [
        "Diese Einladung wurde schon benutzt",
        "Mit ihr wurde ein Bericht gesendet. Eine Einladung gilt einmal, auf einem Gerät. Wenn Sie ihn in einem anderen Browser gesendet haben, können Sie Ihren Bericht dort sehen oder löschen.",
      ],
      revoked: [
        "Diese Einladung wurde zurückgezogen",
        "Wer sie verschickt hat, hat sie zurückgezogen, bevor sie benutzt wurde.",
      ],
      unknown: [
        "Das ist keine Einladung zu dieser Umfrage",
        "Vielleicht wurde der Link abgeschnitten. Öffnen Sie ihn noch einmal, ganz, so wie er in Ihrer Einladung steht.",
      ],
    },
    nothing: "Von dieser Seite wurde nichts gesendet.",
    ask: "Wenn Sie das für einen Fehler halten, fragen Sie, wer Sie eingeladen hat:",
  },
  problems: {
    not_a_date: "Wählen Sie ein Datum.",
    not_a_time: "Wählen Sie eine Uhrzeit.",
    unexpected: (error) => `Hier ist etwas schiefgegangen: ${error}`,
    unknown: (reason) => `Etwas ist schiefgegangen (${reason}).`,
    too_few_attributes: (least) =>
      `Geben Sie mindestens ${answers(least)}, um mitzumachen. Oder schließen Sie diese Seite: Es wurde nichts gesendet.`,
    too_many_answers: (shared, most) =>
      `Sie geben ${answers(shared)} an, und diese Umfrage nimmt höchstens ${most}. Lassen Sie einige weg.`,
    repeated_attribute:
      "Das würde zweimal berichtet, hier und in einer anderen Frage. Lassen Sie eine der beiden weg.",
    below_least: (level, least) =>
      `Bei so wenigen Angaben verlangt diese Umfrage eine Stufe von jeweils mindestens ${least}, und dies ist ${level}. Schieben Sie den Regler nach rechts, geben Sie noch eine Antwort an, oder lassen Sie diese weg.`,
    level_off_menu: (level) => `Die Stufe ${level} gibt es in dieser Umfrage nicht. Wählen Sie eine andere.`,
    over_budget: (sum, most) =>
      `Ihre Stufen ergeben zusammen ${sum}, und diese Umfrage erlaubt ${most} für das, was Sie angeben. Wählen Sie bei einer Antwort stärkeren Schutz, oder lassen Sie eine weg.`,
    over_limit: (sum, limit) =>
      `Mit diesem Bericht hätten Sie ${sum} verbraucht, und Sie haben höchstens ${limit} erlaubt. Wählen Sie stärkeren Schutz, oder lassen Sie mehr weg.`,
    over_window: (sum, limit, rounds) =>
      `Mit diesem Bericht zählten ${rounds} Runden in Folge ${sum}, und Sie haben dafür höchstens ${limit} erlaubt. Wählen Sie stärkeren Schutz, lassen Sie mehr weg, oder warten Sie auf eine spätere Runde.`,
    not_due: (round) => `Dies ist nicht Ihre Runde. Ihre nächste ist Runde ${round}.`,
    bad_rounds: "Schreiben Sie eine ganze Zahl von Runden, zum Beispiel 13.",
    open_outputs:
      "Manche Antworten auf diese Frage können offen gesendet werden. Erlauben Sie das, oder lassen Sie die Frage weg.",
    not_thousandths: "Schreiben Sie eine Zahl über null, zum Beispiel 8 oder 2,5.",
    range: "Wählen Sie einen der Zahlenbereiche.",
    not_drawn: "Diese Frage wurde diesem Gerät nicht gestellt.",
    missing_value: "Bitte antworten Sie hier, oder gehen Sie zurück und lassen Sie die Frage weg.",
    not_a_number: "Schreiben Sie hier eine Zahl ohne Trennpunkte, zum Beispiel 31257 oder 12,5.",
    unreadable:
      "Dieser Browser ließ die Seite nichts speichern. Vielleicht ist der Speicher voll oder abgeschaltet.",
    foreign_file: "Diese Datei hat nicht diese Seite gespeichert. Nichts wurde geändert.",
    damaged_file:
      "Diese Datei ist nicht vollständig. Nichts wurde geändert. Speichern Sie sie dort noch einmal, wo sie herkommt: Jener Browser hat sie noch.",
    wrong_passphrase:
      "Dieses Passwort öffnet die Datei nicht, oder die Datei ist beschädigt. Nichts wurde geändert.",
    short_passphrase: (least) => `Wählen Sie ein Passwort mit mindestens ${least} Zeichen.`,
    no_encryption:
      "Diese Seite wurde nicht über eine geschützte Adresse (https) geöffnet; dieser Browser verschlüsselt hier deshalb nicht.",
    other_site: (site) => `Diese Datei gehört zu den Umfragen von ${site}. Holen Sie sie dort herein. Nichts wurde geändert.`,
    older_state:
      "Diese Datei ist älter als das, was dieser Browser sich merkt: Sie wurde hier schon hereingeholt, oder es ging anderswo weiter. Nichts wurde geändert.",
    forked_state:
      "Diese Datei und was dieser Browser sich merkt kommen aus derselben Datei, und beide haben weitergemacht. Sie lassen sich nicht zusammenfügen. Nichts wurde geändert.",
    moved:
      "Was dieser Browser sich merkte, wurde in eine Datei verschoben. Holen Sie erst diese Datei zurück, oder machen Sie dort mit, wo sie jetzt ist.",
    other_report: (round) =>
      `Diese Datei hat einen anderen Bericht der Runde ${round} als dieser Browser: Einer der beiden ginge verloren. Nichts wurde geändert.`,
    other_record:
      "Ihr Bericht dieser Runde wurde schon versiegelt, vielleicht in einem anderen Fenster. Er wird gezeigt, wie er ist.",
    no_answer: "Die Gegenstelle ist gerade nicht erreichbar.",
    no_plan: "Die Gegenstelle hat nicht gesagt, was sie fragt.",
    token_needed:
      "Die Gegenstelle verlangt eine Einladung. Öffnen Sie noch einmal den Link Ihrer Einladung, oder fügen Sie den Code ein.",
    bad_token: "Das ist kein Einladungscode: Er hat ein Leerzeichen oder ein anderes Zeichen zu viel.",
    plan_changed: "Was gefragt wird, hat sich seit Ihrem ersten Besuch geändert.",
    not_https:
      "Diese Seite wurde nicht über eine geschützte Adresse (https) geöffnet und sendet deshalb nichts.",
    bad_tag: "Was die Gegenstelle gesendet hat, wurde unterwegs beschädigt.",
    redirect: "Die Gegenstelle verweist auf eine andere Adresse; dem folgt diese Seite nicht.",
    not_canonical: "Der Plan der Gegenstelle ist nicht lesbar.",
    blank_label:
      "In dieser Umfrage ist ein Name oder eine Antwort leer. Sie könnten nicht sehen, was Sie wählen; deshalb macht diese Seite nicht mit.",
    same_labels: (one, other) =>
      `In dieser Umfrage sehen zwei Namen oder Antworten gleich aus (${one} und ${other}). Sie könnten nicht sehen, was Sie wählen; deshalb macht diese Seite nicht mit.`,
    not_allowed: "Im Plan der Gegenstelle steht etwas, das diese Seite nicht kennt.",
  },
};

export default texts;
