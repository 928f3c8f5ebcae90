// The selected records as a CSV file, with the columns of the table.
import { Button, Tooltip } from '@mantine/core'
import { Download } from 'lucide-react'
import { BYTE_ORDER_MARK, toCsv } from '../../../../contract/csv-text.ts'
import type { TableColumn } from '../../../shared/table/columns.ts'
import { useCellText } from '../../../shared/table/use-cell-text.ts'
import { download } from '../../../ui/download.ts'
import type { Rows } from '../table/use-rows.ts'

interface ExportSelectedProps {
  name: string
  columns: readonly TableColumn[]
  rows: Rows
  ids: ReadonlySet<string>
}

/** Exports loaded records only. The export of the service covers all matching records. */
export function ExportSelected({ name, columns, rows, ids }: ExportSelectedProps) {
  const textOf = useCellText()
  const selected = rows.loadedPages().flatMap(([, records]) => records.filter(({ id }) => ids.has(id)))
  const isWhole = selected.length === ids.size
  const save = () => {
    const cells = selected.map((record) => columns.map((column) => textOf(column, record)))
    const csv = BYTE_ORDER_MARK + toCsv([columns.map(({ name }) => name), ...cells])
    download(new Blob([csv], { type: 'text/csv' }), `${name} selected.csv`)
  }
  const reason = 'Some are not loaded yet: filter for them and use “Export CSV”, which includes all matches'
  return (
    <Tooltip label={isWhole ? 'Save as a CSV file' : reason}>
      <Button
        variant="default"
        leftSection={<Download size={14} aria-hidden />}
        data-disabled={!isWhole || undefined}
        aria-disabled={!isWhole}
        onClick={() => isWhole && save()}
      >
        Export
      </Button>
    </Tooltip>
  )
}
