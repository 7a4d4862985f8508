/**
 * What the page says, in English. Other languages have the same keys: what is a function here is one
 * there, of the same values. Words of a plan come isolated, numbers written, counts that
 * a plural depends on as numbers.
 *
 * People who read of lies or false answers choose worse (Bullek et al., CHI 2017): what is sent is
 * "another one, chosen at random".
 *
 * @typedef {typeof texts} Texts
 */

import { grammar } from "../grammar.js";

const own = grammar("en-GB");
const { count, either, list } = own;
/** @param {number} n */
const answers = (n) => count(n, { one: "# answer", other: "# answers" });
/** @param {number} n */
const questions = (n) => count(n, { one: "# question", other: "# questions" });

const texts = {
  ...own,
  page: {
    lead: "Take part, and decide for yourself how much your answers reveal.",
    language: "Language",
    /** @param {string} at @param {string} all */
    step: (at, all) => `Step ${at} of ${all}`,
    stopped: "You have stopped here",
    nothingSent: "Nothing was sent. You can close this page.",
    changed: "The survey has changed",
    changedHow:
      "The questions, or how they are protected, have changed since you were here first. What you agreed to then does not cover this. You can look at what is asked now and choose again, or stop. What you have spent stays spent.",
    changedDelete: "If you go on, you can also delete a report that you sent earlier.",
    stop: "Stop here",
    seeNow: "See what is asked now",
    broken: "This page cannot go on",
    notKeeping: "This page cannot keep anything here",
    notNow: "Nothing was sent just now.",
    whyKeep:
      "It must keep count of what you have revealed, so that you never reveal more than you choose. You may be in a private window: try a normal one. Nothing was sent.",
    again: "Try again",
    /** @param {string} round */
    round: (round) => `Round ${round}`,
    /** @param {string} round */
    roundBefore: (round) => `Round ${round}, of the survey as it was before`,
    /** @param {string} count */
    earlier: (count) => `Your earlier reports (${count})`,
  },
  about: {
    title: "What is asked",
    /** @param {number} all @param {string} drawn */
    drawn: (all, drawn) =>
      `This survey has ${questions(all)}. Your device picked ${drawn} of them at random and will not be asked the others.`,
    choose: "You choose which of these to share, and how much each may reveal.",
    asker: "Who asks",
    noAsker: "Whoever runs this page did not say who they are.",
    purpose: "What for",
    noPurpose: "Whoever runs this page did not say what for.",
    contact: "Contact",
    retention: "How long it is kept",
    kept: "Reports are kept until the people who sent them delete them.",
    /** @param {number} days */
    removed: (days) =>
      `Reports are removed ${count(days, { one: "# day", other: "# days" })} after their round is closed; the counts made from them stay.`,
    notice: "Privacy notice",
    further: "Other questions",
    learn: "What others can learn",
    others: "Whoever runs this survey, a hacker, an employer, a court:",
    exact: "Your exact answer",
    exactNo: "No, never for certain.",
    exactOpen: "No, never for certain, if it is protected.",
    exactNearly: "With the least protection, very nearly.",
    /** @param {string[]} questions */
    openOnes: (questions) =>
      `Some answers to ${list(questions)} may be sent openly, as they are.`,
    guess: "A better guess",
    guessYes: "Yes, at most as much as you choose.",
    guessOpen: "Yes, at most as much as you choose, unless it is sent openly.",
    guessNext: "The next step shows how much that is.",
    again: "Later rounds",
    repeats: "If your answer stays the same, the same report is sent again, and its content reveals nothing more.",
    repeatsWhy:
      "But equal reports show that it stayed the same, and different ones that it changed. There is no limit to what that reveals over many rounds.",
    rounded: "A number that changes a little usually counts as the same answer: how it is rounded is drawn once and stays on this device.",
    /** @param {string} groups @param {string} owners */
    grouped: (groups, owners) =>
      `Your reports of all rounds also name one of ${groups} groups. It is drawn once, without looking at your answers, and about ${owners} people share it.`,
    /** @param {string} cohorts */
    cohorted: (cohorts) =>
      `Your reports of all rounds also name one of ${cohorts} cohorts, which is drawn once, without looking at your answers.`,
    fresh: "Every round reveals as much again.",
    freshWhy: "The levels of all rounds add up, whether your answer changes or not.",
    rotates: "You answer in a few of the rounds only, and what these reveal adds up.",
    rotatesWhy: "When your answer changes is protected as well as the answer is.",
    leftOut: "What you left out",
    yes: "Yes.",
    levelsSecret: "How much each answer may reveal is not in the report.",
    levelsSent: "The report also says how much each answer may reveal.",
    whose: "Which report is yours",
    whoseCode: "Yes, for who knows your invitation code.",
    whoseWhy:
      "Your report is made in a way that only this code gives, so that nobody can bend the result by choosing another.",
    chance:
      "Your device adds random noise to your answers before anything leaves it. This happens inside this page. Nobody can tell whether what was sent is your own answer.",
    chanceOpen:
      "Your device adds random noise to your answers before anything leaves it. This happens inside this page. Unless it was sent openly, nobody can tell whether what was sent is your own answer.",
    trust: "How can I know that?",
    trustWhy:
      "You see your report, byte for byte, before you send it. Your browser's developer tools list every request of this page, and the code that runs in it. But whoever runs this page also supplies that code and, like any website, sees that your device was here. If you do not trust them that far, do not take part.",
    next: "Choose what to share",
    /** @param {string} sure */
    balanced: (sure) =>
      `Or share everything with balanced protection: from one answer alone, someone who thought it 50:50 before can be at most ${sure} sure afterwards. You can still change this before you answer.`,
    closed: "No reports are taken at the moment.",
    results: "See the results so far",
  },
  rewording: {
    title: "Only the wording has changed",
    how:
      "This survey asks for the same kinds of answers as the one that you answered before, with the same protection, but in other words.",
    before: "Before",
    now: "Now",
    elsewhere: "What has changed is not in the language that you read.",
    ask:
      "Does it still ask the same? If so, an answer that you gave before is reported the same way again, at no cost. If not, it is a new survey: new noise is drawn, and what your answers may reveal is counted from the start. If in doubt, say no.",
    yes: "Yes, it still asks the same",
    no: "No, it is a new survey",
    answered: "You have answered this round",
    answeredHow:
      "Your report from before the wording changed counts for this round. You find it below.",
  },
  words: {
    /** @param {string} between */
    date: (between) => `A date from ${between}.`,
    /** @param {string} between */
    time: (between) => `A time from ${between}.`,
    /** @param {string} count @param {string[]} edges */
    grouped: (count, edges) => `Reported as one of ${count} groups that begin at ${list(edges)}.`,
    notApplicable: "not applicable",
    /** @param {string} question @param {string[]} answers */
    answered: (question, answers) => `${question}: ${either(answers)}`,
    /** @param {string[]} conditions */
    applies: (conditions) =>
      `Asked only of people with these answers: ${conditions.join("; ")}. For everybody else “not applicable” counts as the answer, with the same protection.`,
    strengths: ["Very strong", "Strong", "Balanced", "Light", "Minimal", "Hardly any"],
    protections: [
      "Very strong protection",
      "Strong protection",
      "Balanced protection",
      "Light protection",
      "Minimal protection",
      "Hardly any protection",
    ],
    /** @param {string} protection */
    someOnly: (protection) => `${protection} of some answers only`,
    /** @param {string} level */
    level: (level) => `(level ${level})`,
    /** @param {string} level @param {string} cost */
    charged: (level, cost) => `(level ${level}, charged as ${cost})`,
    /** @param {string} protection @param {string} sure */
    spoken: (protection, sure) => `${protection}: at most ${sure} sure`,
    /** @param {string} words */
    quoted: (words) => `“${words}”`,
    /** @param {string[]} questions */
    together: (questions) => `${list(questions)}, together`,
    /** @param {string} low @param {string} high */
    between: (low, high) => `${low} to ${high}`,
    /** @param {string} question @param {string} asked */
    part: (question, asked) => `${question}: ${asked}`,
    text: "Any text.",
    /** @param {string} count @param {string[]} labels */
    oneOf: (count, labels) => `One of ${count}: ${labels.join(", ")}.`,
    /** @param {string} count @param {string[]} labels @param {string} more */
    oneOfMany: (count, labels, more) => `One of ${count}: ${labels.join(", ")} and ${more} more.`,
    /** @param {string} between */
    number: (between) => `A number from ${between}.`,
    /** @param {string} between @param {string} count @param {string[]} edges */
    numberInGroups: (between, count, edges) =>
      `A number from ${between}, reported as one of ${count} groups that begin at ${list(edges)}.`,
    idldp:
      "Not all answers have the same protection: between two of them, the stronger protection counts.",
    /** @param {string[]} labels */
    uldp: (labels) =>
      `Only ${list(labels)} ${labels.length > 1 ? "are" : "is"} protected. Any other answer may be sent openly, as it is.`,
    metric:
      "Not all answers have the same protection: answers that are near each other have more, answers that are far apart have less than the level says.",
    /** @param {string} open @param {string} held */
    openPicture: (open, held) =>
      `Of 100 people with an answer that is not protected, ${open} send it openly, as it is; ${held} send a protected one, chosen at random. People with a protected answer always send a protected one.`,
    /** @param {string} kept @param {string} also */
    bits: (kept, also) =>
      `A yes or no is sent for each possible answer. Of 100 people with your answer, ${kept} send a yes for it; of 100 people with another one, ${also} do as well, at random. The large dots are the difference.`,
    /** @param {string} kept @param {string} also */
    cover: (kept, also) =>
      `A list is sent, part of it at random. Of 100 people who have an entry, ${kept} send a list with it; of 100 who do not have it, ${also} do as well. The large dots are the difference.`,
    /** @param {string} kept @param {string} also */
    cells: (kept, also) =>
      `Each entry is in a group with many other entries, and a list of groups is sent, part of it at random. Of 100 people who have an entry, ${kept} send a list with its group; of 100 who do not have it, ${also} or a few more do as well. The large dots are the difference.`,
    /** @param {string} right */
    guesses: (right) =>
      `Of 100 guesses between two answers, 50 are right by chance alone; with this answer at most ${right} on average. The large dots are what it adds.`,
    /** @param {string} own @param {string} others */
    one: (own, others) =>
      `Of 100 people with your answer, ${own} send it; ${others} send another one, chosen at random.`,
    /** @param {string} own @param {string} others @param {string} count */
    set: (own, others, count) =>
      `Of 100 people with your answer, ${own} send a set of ${count} answers that holds it; ${others} send a set without it, chosen at random.`,
    /** @param {string} own @param {string} others @param {string} count */
    group: (own, others, count) =>
      `All answers are put into ${count} groups at random, and one group is sent. Of 100 people with your answer, ${own} send the group that holds it; ${others} send another one, chosen at random.`,
    /** @param {string} own @param {string} others */
    near: (own, others) =>
      `Of 100 people with your number, ${own} send one from the stretch around it; ${others} send one from elsewhere, chosen at random. The stronger the protection, the wider the stretch.`,
    /** @param {string} own */
    other: (own) => `Of 100 people with your answer, ${own} send a report that speaks for it.`,
    /** @param {string} sure */
    worst: (sure) =>
      `From this answer alone, someone who thought it 50:50 before can be at most ${sure} sure after.`,
    /** @param {string[]} labels @param {string} sure */
    worstOpen: (labels, sure) =>
      `Protected: ${list(labels)}. Any other answer may be sent openly, as it is. If a protected one is sent, someone who thought it 50:50 before can be at most ${sure} sure after.`,
    apart: "That is between the two answers that are told apart best; others are told apart less.",
    farthest:
      "That is between the two answers that are farthest apart; nearer ones are told apart less.",
    /** @param {string} people @param {string} bare */
    worthMean: (people, bare) =>
      `If all chose this, about ${people} people would show the average to ±2\u00a0% of its range, 19 times in 20; with no protection ${bare} would.`,
    /** @param {string} people @param {string} bare */
    worthShare: (people, bare) =>
      `If all chose this, about ${people} people would show a share to ±2 points, 19 times in 20; with no protection ${bare} would.`,
  },
  choosing: {
    title: "Choose what to share",
    first: "You will be asked for your answers after this, and only for those that you share.",
    /** @param {[string, string][]} examples levels, and how sure somebody can be */
    level: (examples) =>
      `A number, the level, sets how much an answer may reveal. Think of something about you that someone considers 50:50. After seeing one answer, they can be at most this sure of it: ${examples.map(([level, sure]) => `${sure} at level ${level}`).join(", ")}. The lower the level, the stronger the protection.`,
    /** @param {number} least */
    least: (least) => `Share at least ${answers(least)} to take part.`,
    /** @param {string} sum */
    sums: (sum) => `All levels may add up to ${sum}.`,
    /** @param {string} sum */
    sumsEach: (sum) => `All levels may add up to ${sum} for each answer that you share.`,
    disclosed:
      "Your report also says what you choose here, so your choice must not depend on your answers.",
    presets: "In one step",
    balanced: "Share all, with balanced protection",
    evenly: "Divide evenly among what I share",
    evenlyAll: "Share all, divided evenly",
    scale: "Lower all levels until they fit",
    done: {
      balanced: "All are shared with balanced protection.",
      evenly: "All that is shared has the same level.",
      scaled: "The levels are lowered. They fit now.",
    },
    next: "Go on to the questions",
    back: "Back to what is asked",
    wrong: "Something has to be changed first: see the message above.",
  },
  choice: {
    /** @param {string[]} questions */
    slider: (questions) => `How much ${list(questions)} may reveal`,
    leave: "Leave out",
    share: "Share",
    /** @param {string} labels */
    consent: (labels) =>
      `I allow open reports here. A report that names an answer other than ${labels} is open: it is true, whoever reads it knows that answer, and no level or limit bounds that.`,
    /** @param {string} question */
    range: (question) => `Range for ${question}`,
    rangeNote:
      "A narrower one reveals more with the same protection. Numbers outside of it are moved to its nearer end. The report names it: your choice must not depend on your answer.",
    /** @param {string} before @param {string} adds @param {string} all */
    adds: (before, adds, all) => `Reports about it were charged ${before} so far; this one adds ${adds}: ${all} in all.`,
    /** @param {string} question */
    again: (question) =>
      `You have answered ${question} here before, in another survey or before this one changed. New noise is drawn for this survey, so both reports together reveal more than one.`,
    /** @param {string} question @param {string} before */
    alike: (question, before) =>
      `You have answered ${before} here before, with the same list of answers. If ${question} asks the same, both reports together reveal more than one.`,
  },
  total: {
    /** @param {string} question @param {string[]} decided @param {string} sure */
    decides: (question, decided, sure) =>
      `Your answer to ${question} also decides whether ${list(decided)} ${decided.length > 1 ? "apply" : "applies"} to you. From these answers together, someone who thought it 50:50 before can be at most ${sure} sure of it.`,
    title: "All together",
    note: "Questions that you answered here before are marked above if their name or their list of answers is the same. A renamed question with another list cannot be recognised.",
    /** @param {string} sure */
    short: (sure) => `All together: at most ${sure}.`,
    /** @param {string} percent */
    sure: (percent) => `${percent} sure`,
    /** @param {string} percent */
    sureOpen: (percent) => `${percent} sure, except for what is sent openly`,
    nothing: "You share nothing so far, and nothing is sent.",
    /** @param {string} level @param {string} cost where it differs @param {string} worst */
    one: (level, cost, worst) =>
      `You share one answer, at level ${level}${cost && ` and it is charged as ${cost}`}. ${worst}`,
    /** @param {number} shared @param {string} sum @param {string} cost where it differs */
    many: (shared, sum, cost) =>
      `You share ${answers(shared)}; their levels add up to ${sum}${cost && ` and they are charged as ${cost}`}.`,
    /** @param {string} sure */
    others: (sure) =>
      `Answers also say something about each other: whatever someone thought 50:50 about you before, they can be at most ${sure} sure of it after seeing all of them.`,
    /** @param {string} sure */
    othersOpen: (sure) =>
      `Answers also say something about each other: whatever someone thought 50:50 about you before, they can be at most ${sure} sure of it after seeing all of them, except for what is sent openly.`,
    unspent: "This device has spent nothing here so far.",
    /** @param {string} spent */
    spent: (spent) => `This device has spent ${spent} here so far.`,
    /** @param {string} adds */
    adds: (adds) => `This report adds at most ${adds}.`,
    /** @param {string} limit */
    limit: (limit) => `Your limit is ${limit}.`,
    /** @param {string} granted */
    granted: (granted) =>
      `Towards it, earlier reports count ${granted}, as if every answer had been a new one.`,
    over: "In any such number of rounds in a row (leave empty for all rounds)",
    /** @param {string} rounds @param {string} limit @param {string} spent @param {string} granted */
    window: (rounds, limit, spent, granted) =>
      `Your limit over any ${rounds} rounds of this survey is ${limit}. The rounds around this one were charged ${spent}; ${granted} counts towards it, as if every answer had been a new one.`,
    /** @param {string} limit @param {string} rounds */
    isSetOver: (limit, rounds) =>
      `This device will never spend more than ${limit} in any ${rounds} rounds of one survey.`,
    set: "Set a limit for this device",
    most: "Never spend more than",
    mostNote:
      "It counts what is charged for all reports that this browser makes for this site, now and later: the sum of their levels, or more where a question says so. It can be lowered later, not raised.",
    setIt: "Set this limit",
    /** @param {string} limit */
    isSet: (limit) => `This device will never spend more than ${limit}.`,
  },
  answering: {
    outside: "Numbers outside this range are moved to the nearer end.",
    grouped: "Only its group is reported.",
    decides:
      "You do not share this answer: it stays on this device, and only decides which of the other questions apply to you.",
    /** @param {string[]} questions */
    later: (questions) => `Whether this applies to you depends on your answer to ${list(questions)}.`,
    away:
      "This does not apply to you. “Not applicable” takes the place of your answer, with the same protection: nobody can tell whether it applies.",
    /** @param {string} question */
    appeared: (question) => `The question ${question} applies to you.`,
    /** @param {string} question */
    gone: (question) => `The question ${question} does not apply to you.`,
    title: "Your answers",
    first: "Your answers stay on this device. Only a randomised report made from them leaves it.",
    sealing:
      "Sealing draws your report and keeps it on this device. You will see all of it before you send it. It is drawn only once, because a second draw would reveal more than the first.",
    seal: "Seal my report",
    busy: "Your report is being drawn and sealed…",
    back: "Back to what I share",
    backNote: "Going back clears these answers, because what you share must not depend on them.",
    /** @param {number} failed */
    wrong: (failed) =>
      count(failed, { one: "# answer needs another look.", other: "# answers need another look." }),
    menu: "Choose…",
    textNote: "Any text. Write it as others would: only what is spelled alike counts as the same.",
    /** @param {string} between */
    inGroups: (between) =>
      `A number from ${between}. Numbers outside this range are moved to the nearer end; only the group is reported.`,
    /** @param {string} between @param {string} step */
    onSteps: (between, step) =>
      `A number from ${between}, in steps of ${step}. Other numbers are moved: to the nearer end of the range, or to one of the two nearest steps.`,
  },
  entries: {
    /** @param {string} all @param {string[]} labels @param {string} rest */
    items: (all, labels, rest) => `Any of ${all}: ${labels.join(", ")}${rest && ` and ${rest} more`}.`,
    /** @param {string} between @param {string} all @param {string[]} labels @param {string} rest */
    keys: (between, all, labels, rest) =>
      `A number from ${between} for any of ${all}: ${labels.join(", ")}${rest && ` and ${rest} more`}.`,
    /** @param {string} key @param {string} end */
    side: (key, end) => `${key}: ${end}`,
    anyTexts: "Any texts, as many as you like.",
    lines: "One per line. None at all is an answer too. Use the usual spelling: only entries that are spelled the same count as the same.",
    tick: "Tick all that apply. Nothing ticked is an answer too.",
    /** @param {string} between */
    rate: (between) => `A number from ${between} wherever you have one. None at all is an answer too.`,
    /** @param {string} all */
    together: (all) => `Reported is which of ${all} items, or combinations of items, you have.`,
    /** @param {string} most */
    length: (most) => `Of more than ${most}, ${most} are drawn at random and count.`,
    none: "none",
    search: "Search in the list",
    /** @param {string} shown @param {string} all */
    found: (shown, all) => `${shown} of ${all} are shown.`,
    /** @param {string} question */
    nearer: (question) =>
      `${question}: some numbers are outside of what can be reported. They count as the nearer end.`,
    /** @param {string} question */
    range: (question) => `How many entries count at most for ${question}`,
    rangeNote:
      "If you have more, as many as this are drawn at random. More entries bring more noise with the same protection. The report names this number: your choice must not depend on your answer.",
  },
  changed: {
    title: "These answers count as others",
    /** @param {string} question @param {string} said @param {string} counts */
    counts: (question, said, counts) =>
      `${question}: ${said} is outside of what can be reported. It counts as ${counts}.`,
    nothing: "Nothing is sealed, counted or sent yet.",
    change: "Change my answers",
    go: "Seal it like this",
  },
  sealed: {
    title: "Your report",
    /** @param {string} round */
    ofRound: (round) => `Report of round ${round}`,
    /** @param {string} whose */
    bytes: (whose) => `${whose}, byte for byte`,
    /** @param {number} bytes */
    willBeSent: (bytes) =>
      `This is all that will be sent, ${count(bytes, { one: "# byte", other: "# bytes" })}. You can send it or delete it; it is not drawn again.`,
    /** @param {number} bytes */
    wasSent: (bytes) =>
      `This is all that was sent, ${count(bytes, { one: "# byte", other: "# bytes" })}.`,
    /** @param {number} bytes */
    was: (bytes) => `This was your report, ${count(bytes, { one: "# byte", other: "# bytes" })}.`,
    send: "Send",
    sending: "Sending…",
    remove: "Delete my report",
    deleting: "Deleting…",
    asking: "Asking again…",
    sure: "Delete my report?",
    sureNote:
      "Delete it for good? It cannot be drawn again, and you cannot take part in this round again. What it may have revealed stays counted as spent.",
    yes: "Yes, delete it",
    keep: "Keep it",
    /** @param {string[]} rounds */
    others: (rounds) =>
      `Sending takes along what you sealed before and did not send: the report of round ${rounds.join(", ")}. Delete that one first if it is to stay here.`,
    receipt: "Receipt",
    /** @param {string} round */
    receiptNote: (round) =>
      `Anyone who has it can delete your report of round ${round}; other participants cannot. It stays in this browser; keep a copy in case you clear its data. Do not share it.`,
    copy: "Copy the receipt",
    copied: "Copied.",
    selected: "It is selected: copy it with your keyboard.",
    save: "Save the receipt",
    /** @param {string} file */
    saved: (file) => `Saved as ${file}.`,
  },
  inWords: {
    title: "What was sent, in words",
    note: "Part of it is random. That is why nobody can be certain from it what you answered.",
    noteOpen:
      "Part of it is random, except where an answer was sent openly. From all others, nobody can be certain what you answered.",
    /** @param {string} label */
    one: (label) => `The answer that was sent: ${label}`,
    /** @param {string} labels */
    set: (labels) => `The set that was sent: ${labels}`,
    /** @param {string} labels */
    bits: (labels) => `Yes was sent for: ${labels}`,
    none: "Yes was sent for no answer",
    /** @param {string} labels */
    entries: (labels) => `The list that was sent: ${labels}.`,
    /** @param {number} blanks */
    blanks: (blanks) =>
      `In it: ${count(blanks, { one: "# blank", other: "# blanks" })}, which stand for no entry.`,
    /** @param {string} between */
    stretch: (between) => `The stretch that was sent: ${between}`,
    /** @param {string} number */
    number: (number) => `The number that was sent: ${number}`,
    high: "What was sent: rather high",
    low: "What was sent: rather low",
    code: "A code was sent that stands for many answers at once.",
    /** @param {string[]} labels */
    cell: (labels) => labels.join(" + "),
  },
  outcomes: {
    here: "Your report is kept on this device, and has not been sent.",
    /** @param {string} why */
    waits: (why) =>
      `Your report is kept on this device and will be sent when you are online and this page is open${why && ` (${why})`}.`,
    sealed: "Your report is sealed. Nothing has been sent yet.",
    accepted: "Your report has arrived. Thank you.",
    duplicate: "Your report had arrived before, and counts once. Thank you.",
    deletedBefore: "The collector had deleted this report before. It is not sent again.",
    /** @param {string} why */
    refused: (why) => `The collector did not take your report: ${why}. It is not sent again.`,
    deleted: "Your report is deleted. The collector has confirmed it.",
    unknown:
      "The collector has no such report any more. If its round was closed long ago, the counts made from it stay.",
    never: "Your report is deleted. The collector has none, and this device does not send it.",
    /** @param {string} why */
    unconfirmed: (why) =>
      `The collector has not confirmed yet that your report is deleted${why && ` (${why})`}.`,
    /** @param {string} why */
    unsent: (why) =>
      `Your report is never sent from now on. The collector has not confirmed yet that it has none${why && ` (${why})`}.`,
    tryAgain: "Please try again.",
    later: "It will be asked again when you are online.",
    /** @param {string} status */
    status: (status) => `status ${status}`,
  },
  rhythm: {
    title: "How often you answer",
    why: "This survey asks the same again and again. You choose how often you take part; each time, new noise is drawn. The less often you answer, the less all your reports reveal together.",
    choose: "I answer in",
    /** @param {string} every */
    every: (every) => `one round of every ${every}`,
    once: "Your choice must not depend on your answers. Your device then draws at random in which round you begin. Both stay as they are for this survey, as long as this browser keeps what it remembers. If that is lost, it draws again, and your reports together may reveal more than is said here.",
    take: "Answer this often",
    notNow: "This is not your round",
    /** @param {string} every @param {string} round */
    next: (every, round) => `You answer in one round of every ${every}. Your next one is round ${round}.`,
    missed: "A round that you miss is not made up for.",
  },
  memory: {
    label: "What this browser remembers",
    unspent: "All surveys on this site: this browser has spent nothing so far.",
    /** @param {string} spent */
    spent: (spent) => `All surveys on this site: this browser has spent ${spent} so far.`,
    volatile:
      "This browser does not guarantee to keep what this page stores here. It may delete it, for example when space runs out or when you do not visit this site for some days. Your answers would then get new noise, which reveals more about you, and the count of what you have spent would start again at zero. You can move it into a file instead.",
  },
  moving: {
    title: "Move what this browser remembers, or bring it in",
    outTitle: "Move it into a file",
    outNote:
      "The file has your answers, reports, receipts, what you have spent and your limit, and only your passphrase opens it. This browser then takes part no more until you bring the file back: two browsers that both went on would draw separately, and so reveal more about you.",
    passphrase: "Passphrase",
    /** @param {string} least */
    passphraseNote: (least) =>
      `At least ${least} characters. A few words that nobody would guess are best. Without it nobody can open the file, not even those who run this page.`,
    repeat: "The passphrase again",
    differ: "This is not the passphrase above.",
    out: "Move it out of this browser",
    working: "This takes a moment…",
    inTitle: "Bring a file in",
    inNote:
      "Bring in only a file that you saved on this site yourself: one that somebody else made can decide what your reports say. What this browser remembers by then stays, and what both have spent counts. Reports that you had not sent wait for you to send them.",
    file: "File",
    noFile: "Choose the file first.",
    bring: "Bring it in",
    /** @param {number} added */
    arrived: (added) => `It is here: ${count(added, { one: "# report", other: "# reports" })} came with it.`,
    movedTitle: "Moved into a file",
    /** @param {string} file */
    moved: (file) =>
      `What this browser remembered for this site is now in the file ${file}. Open this page in the other browser and bring the file in there.`,
    check:
      "Look now whether the file is there. If it is not, save it again: this browser keeps the file, locked by your passphrase, until you clear this site’s data.",
    again: "Save the file again",
    once: "Bring the file in at one place only, and delete it then. A copy of it that is brought in elsewhere cannot be noticed by anybody, and would reveal more about you. You can also bring it back here.",
  },
  invitation: {
    code: "Invitation code",
    note: "This survey is for invited people only. The code is in the link of your invitation; it is not part of your report.",
    linked: "But your report is made with it: whoever knows the code can identify your report.",
    states: {
      used: [
        "This invitation was used",
        "A report was sent with it. An invitation works once, on one device. If you sent it from another browser, look there to see or delete your report.",
      ],
      revoked: ["This invitation was taken back", "Whoever sent it has revoked it before it was used."],
      unknown: [
        "This is not an invitation to this survey",
        "Perhaps the link was cut off. Open it again, whole, as it is in your invitation.",
      ],
    },
    nothing: "Nothing was sent from this page.",
    ask: "If you think that this is a mistake, ask who invited you:",
  },
  problems: {
    not_a_date: "Choose a date.",
    not_a_time: "Choose a time.",
    /** @param {string} error */
    unexpected: (error) => `Something went wrong here: ${error}`,
    /** @param {string} reason */
    unknown: (reason) => `Something went wrong (${reason}).`,
    /** @param {number} least */
    too_few_attributes: (least) =>
      `To take part, share at least ${answers(least)}. Or close this page: nothing was sent.`,
    /** @param {number} shared @param {string} most */
    too_many_answers: (shared, most) =>
      `You share ${answers(shared)}, and this survey takes at most ${most}. Leave some out.`,
    repeated_attribute:
      "This would be reported twice, here and in another question. Leave one of the two out.",
    /** @param {string} level @param {string} least */
    below_least: (level, least) =>
      `With so few answers shared, this survey asks for a level of at least ${least} each, and this is ${level}. Move the slider to the right, share another answer as well, or leave this one out.`,
    /** @param {string} level */
    level_off_menu: (level) => `This survey does not take the level ${level}. Choose another one.`,
    /** @param {string} sum @param {string} most */
    over_budget: (sum, most) =>
      `Your levels add up to ${sum}, and this survey allows ${most} for the answers you share. Choose a stronger protection for one of them, or leave one out.`,
    /** @param {string} sum @param {string} limit */
    over_limit: (sum, limit) =>
      `This report would bring what you have spent to ${sum}, and you allowed at most ${limit}. Choose stronger protection, or leave more out.`,
    /** @param {string} sum @param {string} limit @param {string} rounds */
    over_window: (sum, limit, rounds) =>
      `With this report, ${rounds} rounds in a row would count ${sum}, and you allowed at most ${limit} for them. Choose stronger protection, leave more out, or wait for a later round.`,
    /** @param {string} round */
    not_due: (round) => `This is not your round. Your next one is round ${round}.`,
    bad_rounds: "Write a whole number of rounds, such as 13.",
    open_outputs:
      "Some answers to this question may be sent openly. Allow that, or leave the question out.",
    not_thousandths: "Write a number above zero, such as 8 or 2.5.",
    range: "Choose one of the ranges.",
    not_drawn: "This device was not asked this question.",
    missing_value: "Please answer this, or go back and leave it out.",
    not_a_number: "Write this as a number, such as 31257 or 12.5.",
    unreadable:
      "This browser did not let the page keep anything. Perhaps its storage is full or switched off.",
    foreign_file: "This is not a file that this page saved. Nothing was changed.",
    damaged_file:
      "This file is not complete. Nothing was changed. Save it again where it came from: that browser still has it.",
    wrong_passphrase:
      "This passphrase does not open the file, or the file is damaged. Nothing was changed.",
    /** @param {string} least */
    short_passphrase: (least) => `Choose a passphrase of at least ${least} characters.`,
    no_encryption:
      "This page was not opened by a protected address (https), so this browser does not encrypt here.",
    /** @param {string} site */
    other_site: (site) => `This file is about the surveys of ${site}. Bring it in there. Nothing was changed.`,
    older_state:
      "This file is older than what this browser remembers: it was brought in here before, or went on elsewhere. Nothing was changed.",
    forked_state:
      "This file and what this browser remembers come from the same file and both went on. They cannot be put together. Nothing was changed.",
    moved:
      "What this browser remembered was moved into a file. Bring that file back first, or take part where it is now.",
    /** @param {string} round */
    other_report: (round) =>
      `This file has another report of round ${round} than this browser: one of the two would be lost. Nothing was changed.`,
    other_record:
      "Your report of this round was sealed before, perhaps in another window. It is shown as it is.",
    no_answer: "The collector cannot be reached at the moment.",
    no_plan: "The collector did not say what it asks.",
    token_needed:
      "The collector asks for an invitation. Open the link of your invitation again, or paste its code.",
    bad_token: "This is no invitation code: it has a space or another character too many.",
    plan_changed: "What is asked has changed since you were here first.",
    not_https: "This page was not opened by a protected address (https), so it sends nothing.",
    bad_tag: "What the collector sent was damaged on its way.",
    redirect: "The collector points to another address, which this page does not follow.",
    not_canonical: "The collector's plan cannot be read.",
    blank_label:
      "In this survey a name or an answer is blank. You could not see what you choose, so this page does not take part in it.",
    /** @param {string} one @param {string} other */
    same_labels: (one, other) =>
      `In this survey two names or answers look the same (${one} and ${other}). You could not see what you choose, so this page does not take part in it.`,
    not_allowed: "The collector's plan has something in it that this page does not know.",
  },
};

export default texts;
