// Copies, cuts and pastes the marked cells.
import type { ClipboardEvent } from 'react'
import { counted } from '../../../contract/counted.ts'
import type { CrmRecord } from '../api/records.ts'
import { toast, toastError } from '../toast.ts'
import { isEmpty } from '../values/format.ts'
import { type CopiedCell, toHtmlTable } from './clipboard-html.ts'
import { kindOf } from './clipboard-kind.ts'
import type { TableColumn } from './columns.ts'
import { cellRange, clear, type Session } from './grid-commands.ts'
import { HEAD } from './grid-state.ts'
import { toTsv } from './tsv.ts'
import { useCellText } from './use-cell-text.ts'

function copiedCell({ attribute }: TableColumn, record: CrmRecord, text: string): CopiedCell {
  const value = attribute && record.data[attribute.slug]
  return attribute && !isEmpty(value) ? { text, kind: kindOf(attribute), value } : { text }
}

/** Reads the HTML table if there is one, because plain text loses details. Otherwise reads the text. */
async function pastedCells(html: string, text: string): Promise<CopiedCell[][] | undefined> {
  const [{ readHtmlTable }, { parseTsv }] = await Promise.all([
    import('./clipboard-table.ts'),
    import('./parse-tsv.ts'),
  ])
  const table = readHtmlTable(html)
  if (table || text === '') return table
  return parseTsv(text).map((cells) => cells.map((cell) => ({ text: cell })))
}

const isElsewhere = ({ state }: Session) => state.editing !== undefined || state.active.row === HEAD

/** Rows that were never visible are not loaded, so they cannot be copied. */
export function useClipboard(session: Session) {
  const { grid, table } = session
  const textOf = useCellText()
  const copy = (event: ClipboardEvent): boolean => {
    if (isElsewhere(session)) return false
    const { top, bottom, columns } = cellRange(session)
    const rows = Array.from({ length: bottom - top + 1 }, (_, at) => grid.at(top + at))
    const loaded = rows.filter((record) => record !== undefined)
    const cells = loaded.map((record) =>
      columns.map((column) => copiedCell(column, record, textOf(column, record))),
    )
    event.clipboardData.setData('text/plain', toTsv(cells.map((row) => row.map(({ text }) => text))))
    event.clipboardData.setData('text/html', toHtmlTable(cells))
    event.preventDefault()
    const missing = rows.length - loaded.length
    const count = loaded.length * columns.length
    if (missing > 0)
      toast(
        `Copied ${counted(count, 'cell')}. ${counted(missing, 'row was', 'rows were')} not loaded yet: scroll over them first`,
      )
    else if (count > 1) toast(`Copied ${counted(count, 'cell')}`)
    return missing === 0
  }
  return {
    onCopy: (event: ClipboardEvent) => void copy(event),
    onCut: (event: ClipboardEvent) => {
      if (copy(event)) clear(session)
    },
    onPaste: (event: ClipboardEvent) => {
      if (isElsewhere(session)) return
      const [html, text] = ['text/html', 'text/plain'].map((type) => event.clipboardData.getData(type))
      if (!html && !text) return
      event.preventDefault()
      const range = cellRange(session)
      void pastedCells(html ?? '', text ?? '').then(
        (cells) => cells && table.actions.paste(range, cells),
        toastError,
      )
    },
  }
}
