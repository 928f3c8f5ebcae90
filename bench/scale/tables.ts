// Writes the tables of docs/operators/scaling.md between their marks.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const PAGE = fileURLToPath(new URL('../../docs/operators/scaling.md', import.meta.url))

/** Markdown. Every column but the first is aligned to the right. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|---|${'--:|'.repeat(head.length - 1)}`, ...rows.map(line)].join('\n')
}

const markOf = (name: string) => [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`] as const

/** @param tables by name @returns the page with the tables @throws Error when it has no marks of a table */
export function fillPage(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [begin, end] = markOf(name)
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`The page has no marks of ${name}`)
    return `${text.slice(0, from + begin.length)}${table}${text.slice(to)}`
  }, page)
}

export const writeTables = async (tables: Readonly<Record<string, string>>): Promise<void> =>
  writeFile(PAGE, fillPage(await readFile(PAGE, 'utf8'), tables))

export const thousands = (value: number): string => Math.round(value).toLocaleString('en-US')

/** Rounds to two significant digits, and from 100 on to whole numbers. */
export const short = (value: number): string =>
  value >= 100 ? thousands(value) : String(Number(value.toPrecision(2)))

export const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`
