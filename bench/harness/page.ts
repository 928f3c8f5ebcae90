// Renders the page of results. `npm run bench -- all` writes it to docs/benchmarks.md.
import { readFile } from 'node:fs/promises'
import type { Row } from './figures.ts'
import { renderTable } from './table.ts'

export interface BenchResult {
  name: string
  summary: string
  /** What the bench compares, as Markdown. */
  about: string
  rows: readonly Row[]
  /** Error message of a bench that failed; undefined after success. */
  failure: string | undefined
  tookSeconds: number
  /** Time that the bench may take; undefined: no limit. */
  shareSeconds: number | undefined
}

export interface Occasion {
  /** The arguments after `npm run bench --`. */
  command: string
  /** Cores and memory. */
  machine: string
  /** ISO date. */
  day: string
  /** Benches that this run leaves out, by name. */
  leftOut: readonly string[]
}

const HEAD = `# Benchmarks

Written by \`npm run bench\`: every figure of this page comes from one run.

\`\`\`
npm run bench                          the list of benches
npm run bench -- http                  runs one
npm run bench -- http --only GET,create --seconds 10 --rounds 3 --json rows.json
npm run bench -- all --quick           runs all of them, and writes this page
npm run bench -- peers --page docs/benchmarks-peers.md   compares with Directus, NocoDB and Strapi, on a separate page
npm run bench -- --help                every option
\`\`\`

A bench starts its own service and its own database in a temporary folder, sends requests from a second process, and
deletes everything afterwards, also after Ctrl-C. It needs Linux (CPU time is read from \`/proc\`).

Read the ratios: each case measures the service and its limit in turn, round after round, and reports the medians. On a
machine that does other work, CPU time per request is the steadier figure.`

/** Reads the text about what a bench compares from its folder. */
export const aboutOf = (name: string): Promise<string> =>
  readFile(new URL(`../${name}/about.md`, import.meta.url), 'utf8')

const targets = (rows: readonly Row[]) => rows.filter(({ met }) => met !== null)

const score = (rows: readonly Row[]) =>
  `${targets(rows).filter(({ met }) => met).length} of ${targets(rows).length} targets met`

function remark({ failure, tookSeconds, shareSeconds = Number.POSITIVE_INFINITY }: BenchResult): string {
  if (failure !== undefined) return `Failed: ${failure.split('\n')[0]}`
  return tookSeconds > shareSeconds ? `Over its share of ${shareSeconds} s` : ''
}

function overview(results: readonly BenchResult[]): string {
  const lines = results.map((result) => {
    const { name, rows, tookSeconds } = result
    return `| \`${name}\` | ${score(rows)} | ${tookSeconds.toFixed(0)} s | ${remark(result)} |`
  })
  return ['| bench | result | took | |', '|---|---|--:|---|', ...lines].join('\n')
}

function section({ name, summary, about, rows, failure }: BenchResult): string {
  const result = failure === undefined ? `${score(rows)}.\n\n${renderTable(rows)}` : `Failed: ${failure}`
  return `## \`${name}\`: ${summary}\n\n${about.trim()}\n\n${result}`
}

/** Options for output files, which do not change the measurement. */
const FILE_OPTIONS = / --(?:page|json)[ =][^\s`]+/g

const others = (names: readonly string[]) =>
  names.length === 0 ? [] : [`Not part of this run: ${names.map((name) => `\`${name}\``).join(', ')}.`]

export function renderPage(
  results: readonly BenchResult[],
  { command, machine, day, leftOut }: Occasion,
): string {
  const all = results.flatMap(({ rows }) => rows)
  const run = `Last run: ${day}, ${machine}, \`npm run bench -- ${command.replace(FILE_OPTIONS, '')}\`. ${score(all)}.`
  const parts = [HEAD, run, overview(results), ...others(leftOut), ...results.map(section)]
  return `${parts.join('\n\n')}\n`
}
