// What the document of a page has in it by its address (dashboard/starts.ts): the shell, and links to what it needs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ColumnWidths, firstRows, type Read } from './first-rows.ts'

interface Start {
  /** A pattern of paths. */
  address: string
  /** Links to scripts and styles. */
  files: string
  /** Links to what is read first, where $1 and $2 stand for groups of the address. */
  answers: string
  /** The same where the address has no query. */
  plainAnswers: string
  /** Where the object is read whose first rows are shown, when the address has no query. */
  rowsOf?: string
}

/** Who opens a page, and how. */
export interface Visit {
  /** The address of the page, with its query. */
  url: string
  /** Without one, requests would only be refused, and another page opens. */
  hasSession: boolean
  /** The scheme that the visitor chose; undefined: the system's. */
  colorScheme?: string | undefined
  /** Answers as the dashboard's API answers the visitor; undefined for what is refused. */
  read: Read
}

/** What the rows of a document may cost it. Without them, it has the shape of the page alone. */
const ROWS_MS = 300

/** @returns undefined too when it fails: the page itself asks again, and says what is wrong */
async function withinTime<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), ROWS_MS)
  try {
    return await work(late.signal)
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

interface Starts {
  document: string
  columnWidths: ColumnWidths
  pages: Start[]
}

/** What stands for the page in the shell. */
const PAGE = /<!--page-->.*<!--\/page-->/s

/** A page with this address: what of it does not depend on the visitor. */
type Kind = Omit<Start, 'address'> & { pattern: RegExp }

/** The groups of the address in their places. */
const filled = (text: string, groups: RegExpExecArray) => text.replace(/\$(\d)/g, (_, nr) => groups[nr] ?? '')

function linksFor({ files, answers, plainAnswers }: Kind, groups: RegExpExecArray, isPlain: boolean): string {
  return files + filled(isPlain ? answers + plainAnswers : answers, groups)
}

const withScheme = (document: string, scheme: string | undefined) =>
  scheme === undefined ? document : document.replace('<html', `<html data-mantine-color-scheme="${scheme}"`)

/** @returns the document for a visit; undefined where the page has none of its own */
export function startsFrom(dir: string): (nonce: string, visit: Visit) => Promise<string | undefined> {
  const starts = JSON.parse(readFileSync(join(dir, 'starts.json'), 'utf8')) as Starts
  const kinds = starts.pages.map(({ address, ...kind }): Kind => ({ pattern: new RegExp(address), ...kind }))
  return async (nonce, { url, hasSession, colorScheme, read }) => {
    if (!hasSession) return undefined
    const [path = '', query = ''] = url.split('?', 2)
    const kind = kinds.find(({ pattern }) => pattern.test(path))
    const groups = kind?.pattern.exec(path)
    if (!kind || !groups) return undefined
    const links = linksFor(kind, groups, query === '')
    const document = withScheme(starts.document.replaceAll('__NONCE__', nonce), colorScheme).replace(
      '</head>',
      () => `${links}</head>`,
    )
    if (kind.rowsOf === undefined || query !== '') return document
    const object = filled(kind.rowsOf, groups)
    const rows = await withinTime((signal) =>
      firstRows((path) => read(path, signal), object, starts.columnWidths),
    )
    return rows === undefined ? document : document.replace(PAGE, () => rows)
  }
}
