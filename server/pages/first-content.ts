// The first content of a page, as part of its document: people read it while the scripts still load.
import { firstBoard } from './first-board.ts'
import { firstHome } from './first-home.ts'
import { firstRecord } from './first-record.ts'
import { type ColumnWidths, firstTable } from './first-table.ts'
import type { FirstAddress, ReadFirst } from './first-text.ts'

/** The kind of the first content, as in dashboard/starts.ts. */
export type FirstKind = 'table' | 'board' | 'record' | 'home'

/** Reads a route of the dashboard's API. @param signal ends the request */
export type Read = (path: string, signal: AbortSignal) => Promise<unknown>

const FIRST: Readonly<
  Record<
    FirstKind,
    (read: ReadFirst, address: FirstAddress, widths: ColumnWidths) => Promise<string | undefined>
  >
> = { table: firstTable, board: firstBoard, record: firstRecord, home: firstHome }

/** How long a document waits for its content. If it takes longer, the document has only the shape of the page. */
const CONTENT_MS = 300

/** @returns the part of the document; undefined after an error too: the page repeats the request and shows the error */
export async function firstContent(
  kind: FirstKind,
  { read, address, widths }: { read: Read; address: FirstAddress; widths: ColumnWidths },
): Promise<string | undefined> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), CONTENT_MS)
  try {
    return await FIRST[kind]((path) => read(path, late.signal), address, widths)
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
