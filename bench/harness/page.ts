// docs/benchmarks.md, written from what the benches measured: `npm run bench -- all`.
import { readFile } from 'node:fs/promises'
import type { Row } from './figures.ts'
import { renderTable } from './table.ts'

export interface BenchResult {
  name: string
  summary: string
  /** What it compares, as Markdown. */
  about: string
  rows: readonly Row[]
  /** Why there are no rows; undefined when the bench ended. */
  failure: string | undefined
}

export interface Occasion {
  /** The command line behind `npm run bench --`. */
  command: string
  /** Cores and memory. */
  machine: string
  /** ISO date. */
  day: string
}

const HEAD = `# Benchmarks

Written by \`npm run bench -- all\`: every figure of this page comes from one run.

\`\`\`
npm run bench                          the list of benches
npm run bench -- http                  runs one
npm run bench -- http --only GET,create --seconds 10 --rounds 3 --json rows.json
npm run bench -- all --quick           runs all of them, and writes this page
npm run bench -- --help                every option
\`\`\`

A bench starts its own service and its own database in a temporary folder, sends requests from a second process, and
deletes everything afterwards, also after Ctrl-C. It needs Linux (CPU time is read from \`/proc\`).

Read the ratios: each case measures the service and its limit in turn, round after round, and reports the medians. On a
machine that does other work, CPU time per request is the steadier figure.`

/** What a bench compares, kept beside its code. */
export const aboutOf = (name: string): Promise<string> =>
  readFile(new URL(`../${name}/about.md`, import.meta.url), 'utf8')

const targets = (rows: readonly Row[]) => rows.filter(({ met }) => met !== null)

const score = (rows: readonly Row[]) =>
  `${targets(rows).filter(({ met }) => met).length} of ${targets(rows).length} targets met`

/** Figures without anything to compare them with are left to the terminal. */
const compared = (rows: readonly Row[]) => rows.filter(({ ratio, met }) => ratio !== null || met !== null)

function section({ name, summary, about, rows, failure }: BenchResult): string {
  const result =
    failure === undefined ? `${score(rows)}.\n\n${renderTable(compared(rows))}` : `Failed: ${failure}`
  return `## \`${name}\`: ${summary}\n\n${about.trim()}\n\n${result}`
}

export function renderPage(results: readonly BenchResult[], { command, machine, day }: Occasion): string {
  const all = results.flatMap(({ rows }) => rows)
  const run = `Last run: ${day}, ${machine}, \`npm run bench -- ${command}\`. ${score(all)}.`
  return `${[HEAD, run, ...results.map(section)].join('\n\n')}\n`
}
