// The first content of a page, in its document: it is read while the scripts are still on their way.
import { firstBoard } from './first-board.ts'
import { firstHome } from './first-home.ts'
import { firstRecord } from './first-record.ts'
import { type ColumnWidths, firstTable } from './first-table.ts'
import type { FirstAddress, ReadFirst } from './first-text.ts'

/** What is shown first, as the pages name it (dashboard/starts.ts). */
export type FirstKind = 'table' | 'board' | 'record' | 'home'

/** What a page is read from, as the dashboard's routes answer. @param signal ends the request */
export type Read = (path: string, signal: AbortSignal) => Promise<unknown>

const FIRST: Readonly<
  Record<
    FirstKind,
    (read: ReadFirst, address: FirstAddress, widths: ColumnWidths) => Promise<string | undefined>
  >
> = { table: firstTable, board: firstBoard, record: firstRecord, home: firstHome }

/** What the content of a document may cost it. Without it, the document has only the shape of the page. */
const CONTENT_MS = 300

/** @returns the part of the document; undefined too when it fails: the page itself asks again, and says what is wrong */
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
