// npm run bench -- <name> [options]
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchOptions, UsageError } from './bench.ts'
import type { Dose } from './doses.ts'

export interface BenchCommand {
  name: string
  options: BenchOptions
  /** File for the rows as a JSON array. */
  json: string | undefined
  /** File for the page of results; `all` has a default. */
  page: string | undefined
}

const FLAGS = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'string' },
  page: { type: 'string' },
  quick: { type: 'boolean' },
  seconds: { type: 'string' },
  rounds: { type: 'string' },
  connections: { type: 'string' },
  records: { type: 'string' },
  background: { type: 'string' },
  only: { type: 'string' },
  profile: { type: 'string' },
} as const

const CONNECTIONS_DEFAULT = 64
const USUAL = { seconds: 5, rounds: 5, records: 1_000_000 }
const QUICK = { seconds: 1, rounds: 3, records: 50_000 }

export const USAGE = `npm run bench                       the list of benches
npm run bench -- <name> [options]   runs one, in a temporary folder
npm run bench -- all [options]      runs all of them, and writes docs/benchmarks.md

  --quick            shorter rounds and fewer records: "all" takes less than ten minutes
  --page FILE        write the page of "all" to another file, or a page of one bench
  --json FILE        write the rows {case, figure, unit, limit, ratio, target, met} as a JSON array
  --seconds N        length of one measured round (${USUAL.seconds}; quick: ${QUICK.seconds})
  --rounds N         measured rounds of each side, of which the median is reported (${USUAL.rounds}; quick: ${QUICK.rounds})
  --connections N    connections that send requests concurrently (${CONNECTIONS_DEFAULT})
  --records N        records that are asked, in "records" and "reports" (${USUAL.records}; quick: ${QUICK.records})
  --background N     records of other organizations, in "records" (${USUAL.records}; quick: ${QUICK.records})
  --only TEXT,TEXT   only cases whose name contains one of the texts
  --profile DIR      write CPU profiles of the measured Node processes
  --help             this text`

function whole(flag: string, text: string | undefined, fallback: number, least = 1): number {
  if (text === undefined) return fallback
  if (/^\d{1,8}$/.test(text) && Number(text) >= least) return Number(text)
  throw new UsageError(`--${flag} must be a whole number from ${least}, not "${text}"`)
}

function parseFlags(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: FLAGS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const path = (text: string | undefined) => (text === undefined ? undefined : resolve(text))

/** @param quick defaults of --quick @returns the bench and its options, or 'help' or 'list' @throws UsageError */
export function parseArguments(
  words: readonly string[],
  quick: Omit<Dose, 'shareSeconds'> = QUICK,
): BenchCommand | 'help' | 'list' {
  const { values, positionals } = parseFlags(words)
  if (values.help) return 'help'
  const [name, ...rest] = positionals
  if (name === undefined) return 'list'
  if (rest.length > 0) throw new UsageError(`One bench at a time: "${rest[0]}" is one name too many`)
  const isQuick = values.quick ?? false
  const defaults = isQuick ? quick : USUAL
  return {
    name,
    json: path(values.json),
    page: path(values.page),
    options: {
      isQuick,
      seconds: whole('seconds', values.seconds, defaults.seconds),
      rounds: whole('rounds', values.rounds, defaults.rounds),
      connections: whole('connections', values.connections, CONNECTIONS_DEFAULT),
      records: whole('records', values.records, defaults.records),
      background: whole('background', values.background, defaults.records, 0),
      only: values.only?.split(',').filter((part) => part !== '') ?? [],
      profile: path(values.profile),
    },
  }
}
