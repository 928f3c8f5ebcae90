// What every text of the dashboard is held to. Whether it is understood, a person judges who reads the list (npm run words).
interface Rule {
  title: string
  /** What is wrong in a text; nothing where it is right. */
  faults(text: string): readonly string[]
}

/** Without what is only known later. */
const known = (text: string) => text.replaceAll(/‹[^›]*›/g, '‹›')

const found = (pattern: RegExp) => (text: string) => [...known(text).matchAll(pattern)].map(([word]) => word)

/** Names, which keep their capitals in a sentence. */
const NAMES =
  /^(?:Rapport|API|APIs|CSV|TSV|XLSX|Excel|JSON|HTML|UTC|UTF-8|URL|URLs|HTTP|HTTPS|TLS|DNS|SMTP|ID|IDs|ISO|IP|ZIP|PDF|PNG|JPEG|WebP|SQL|OK|Enter|Esc|Escape|Tab|Shift|Ctrl|Alt|Delete|Undo|Backspace|Space|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|English|Python|Node|Node\.js|Go|PHP|Ruby|Java|Svix|Berlin|Paris|I|GET|POST|GIF|AVIF|Mac|Linux|Windows|Chrome|Firefox|Safari|Edge|Opera|Android|iPhone|iPad|Q\d|[A-Z])$/

/** Words within a sentence that begin with a capital; after a stop, a colon, an arrow or a quotation mark a new one begins. */
function capitals(text: string): string[] {
  const words = known(text).split(/\s+/)
  return words.flatMap((word, index) => {
    const before = words[index - 1] ?? '.'
    const bare = word.replaceAll(/^[(“"‘]+|[)”"’.,:;?…]+$/g, '').replace(/’s$/, '')
    const isQuoted = /^[“"‘]/.test(word) || isOpen(words.slice(0, index).join(' '))
    const isWay = words[index + 1] === '→'
    const begins = /[.:?!→·–—|/]$|^[-–·→]$|^‹›$/.test(before) || index === 0 || isQuoted || isWay
    return begins ||
      !/^\p{Lu}/u.test(bare) ||
      bare.split(/[-/]/).every((one) => NAMES.test(one) || !/^\p{Lu}/u.test(one))
      ? []
      : [bare]
  })
}

/** Whether a quotation has begun and not ended. */
const isOpen = (text: string) => text.lastIndexOf('“') > text.lastIndexOf('”')

const NOUNS =
  'records|rows|values|runs|files|events|deliveries|keys|members|tasks|reports|workflows|attributes|options|views|objects|days|hours|minutes|seconds|times|activities|notifications|characters|problems|steps|comments|invitations|changes|cells|columns|groups|permissions|references|attempts|items|columns|companies|people|deals'

export const RULES: readonly Rule[] = [
  { title: 'says "successfully"', faults: found(/\bsuccessfully\b/gi) },
  { title: 'has an exclamation mark', faults: found(/!(?!=)/g) },
  {
    title: 'has three dots for an ellipsis, or a straight quotation mark',
    faults: found(/\.\.\.|"|(?<=\p{L})'(?=\p{L})/gu),
  },
  { title: 'is not in sentence case', faults: capitals },
  {
    title: 'has a British spelling',
    faults: found(
      /\b(?:colour\w*|favour\w*|behaviour\w*|organis\w*|customis\w*|recognis\w*|summaris\w*|synchronis\w*|initialis\w*|prioritis\w*|grey\w*|centre\w*|dialogue|licences?|programmes?|travell\w*|labell\w*|modell\w*|analys(?:e|ed|ing)|whilst|amongst|learnt|catalogue|cheque)\b/gi,
    ),
  },
  {
    title: 'has a word of the API',
    faults: found(
      /\b(?:null|undefined|boolean|UUID|payload|request body|JSON|slugs?|GET|POST|PATCH|PUT|[a-z]+_[a-z_]+|[a-z]+[A-Z]\w*|\w+\[\d*\]\.?\w*)(?![\w’])/g,
    ),
  },
  {
    title: 'has a word that only we use',
    faults: found(
      /\b(?:whoever|nobody|anew|tells? of|hears? of|of (?:its|their|your) own|beside|alone|at once|is gone|are gone|stands|mend(?:s|ed)?|lately|thereby|whereby|hence)\b/gi,
    ),
  },
  {
    title: 'has a noun in the plural after a number that may be 1',
    faults: (text) =>
      [...text.matchAll(new RegExp(`‹([^›]*)› (?:${NOUNS})\\b`, 'g'))]
        .filter(([, code = '']) => /count|total|length|size|number|\bn\b|rows|left|missing|more/i.test(code))
        .map(([words]) => words),
  },
]
