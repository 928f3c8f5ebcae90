// What `npm test -- …` asks for. Pure.

/** The parts of the tests, each with the arguments by which Vitest runs it; static checks need no Vitest. */
export const PARTS = {
  static: undefined,
  server: ['--project=together', '--project=alone'],
  browser: ['--project=browser'],
  faults: ['--project=faults'],
} as const satisfies Readonly<Record<string, readonly string[] | undefined>>
export type Part = keyof typeof PARTS

/** What to run: static checks or not, then Vitest once for each list of arguments. */
export interface TestRun {
  isStatic: boolean
  vitest: (readonly string[])[]
  /** Each file that failed runs once more by itself. */
  hasSecondTry: boolean
}

export type TestArguments = { help: string } | { refusal: string } | { run: TestRun }

const HELP = `npm test                              everything: static checks, then every test
npm test -- static                    types, format and lint, unused code
npm test -- server                    contract, server, command line and the dashboard's functions
npm test -- browser                   the dashboard in Chromium (dashboard/e2e)
npm test -- faults                    faults of the database (server/test/faults*)
npm test -- static server             several parts
npm test -- server/records            the files whose path contains this text
npm test -- server/records -t cursor  of these, the tests whose name matches this pattern
npm test -- browser -t palette        of a part, the tests whose name matches this pattern
npm test -- --second-try              each file that failed runs once more by itself at the end

Other options, such as --bail=1 or --reporter=dot, go to Vitest. The last line counts: N passed, N failed.
`

const isPart = (word: string): word is Part => Object.hasOwn(PARTS, word)

const SECOND_TRY = '--second-try'

/** Options whose value is the next word. */
const NAME_OPTIONS = ['-t', '--testNamePattern']

interface Words {
  options: string[]
  others: string[]
}

function sortWords(words: readonly string[]): Words {
  const sorted: Words = { options: [], others: [] }
  for (const [index, word] of words.entries()) {
    const isValue = NAME_OPTIONS.includes(words[index - 1] ?? '')
    if (isValue || word.startsWith('-')) sorted.options.push(word)
    else sorted.others.push(word)
  }
  return sorted
}

const vitestRuns = (parts: readonly Part[], options: readonly string[]): (readonly string[])[] =>
  [...new Set(parts)].flatMap((part) => {
    const args = PARTS[part]
    return args ? [[...args, ...options]] : []
  })

const parseWithoutSecondTry = (words: readonly string[], hasSecondTry: boolean): TestArguments => {
  const { options, others } = sortWords(words)
  if (options.includes('--help') || options.includes('-h')) return { help: HELP }
  const parts = others.filter(isPart)
  if (parts.length === 0)
    return { run: { isStatic: words.length === 0, vitest: [[...others, ...options]], hasSecondTry } }
  if (parts.length < others.length)
    return { refusal: 'name either parts or paths: npm test -- server, or npm test -- server/records' }
  const vitest = vitestRuns(parts, options)
  if (vitest.length === 0 && options.length > 0)
    return { refusal: `static checks take no options: leave out ${options.join(' ')}` }
  return { run: { isStatic: parts.includes('static'), vitest, hasSecondTry } }
}

/** @param words what follows `npm test --` */
export const parseTestArguments = (words: readonly string[]): TestArguments =>
  parseWithoutSecondTry(
    words.filter((word) => word !== SECOND_TRY),
    words.includes(SECOND_TRY),
  )
