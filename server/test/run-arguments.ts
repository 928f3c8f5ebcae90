// Parses the arguments of `npm test -- …` and `npm run verify -- …`. Pure.
import type { Part, TestCommand, VitestRun } from './parts.ts'

/** Optionally the static checks, then one run of Vitest for each element. */
export interface TestRun {
  isStatic: boolean
  runs: readonly VitestRun[]
}

export type TestArguments = { help: string } | { refusal: string } | { run: TestRun }

const COLUMN = 40

function helpOf({ name, parts }: TestCommand): string {
  const line = (words: string, about: string) => `${`${name} ${words}`.trim().padEnd(COLUMN)}  ${about}\n`
  const [first = ''] = Object.keys(parts)
  return [
    line('', 'everything'),
    ...Object.entries(parts).map(([part, { about }]) => line(`-- ${part}`, about)),
    line('-- server/records', 'the files of this command whose path contains this text'),
    line(`-- ${first} -t cursor`, 'of a part, the tests whose name matches this pattern'),
    '\nOther options, such as --bail=1 or --reporter=dot, go to Vitest. The last line counts: N passed, N failed.\n',
  ].join('')
}

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

const withOptions = (runs: readonly VitestRun[], options: readonly string[]): VitestRun[] =>
  runs.map((run) => ({ ...run, args: [...run.args, ...options] }))

function runOfParts(command: TestCommand, { options, others }: Words): TestArguments {
  const parts = [...new Set(others)].flatMap((word): Part[] => {
    const part = command.parts[word]
    return part ? [part] : []
  })
  const runs = withOptions(
    parts.flatMap((part) => part.runs),
    options,
  )
  if (runs.length === 0 && options.length > 0)
    return { refusal: `static checks take no options: leave out ${options.join(' ')}` }
  return { run: { isStatic: parts.some(({ isStatic }) => isStatic), runs } }
}

/** @param words the arguments after `--` */
export function parseTestArguments(command: TestCommand, words: readonly string[]): TestArguments {
  const { everything, name, parts, projects, env } = command
  const { options, others } = sortWords(words)
  if (options.includes('--help') || options.includes('-h')) return { help: helpOf(command) }
  const named = others.filter((word) => Object.hasOwn(parts, word))
  if (others.length > 0 && named.length === others.length) return runOfParts(command, { options, others })
  if (named.length > 0)
    return { refusal: `name either parts or paths: ${name} -- ${named[0]}, or ${name} -- server/records` }
  const isAll = words.length === 0
  const runs = isAll ? everything.runs : [{ args: [...projects, ...others, ...options], ...(env && { env }) }]
  return { run: { isStatic: isAll && everything.isStatic === true, runs } }
}
