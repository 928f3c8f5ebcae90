// Pastes into the table: a single cell immediately, a block after a preview.
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { keepRefused } from '../../../shared/records/refused-values.ts'
import type { TableColumn } from '../../../shared/table/columns.ts'
import type { TableActions } from '../../../shared/table/table-context.ts'
import { toast, toastError } from '../../../shared/toast.ts'
import { useOrganization } from '../../../shared/use-organization.ts'
import { Opening } from '../../../ui/opening.ts'
import type { PastedBlock } from '../paste/paste-plan.ts'
import { useChangeSet } from '../selection/use-change-set.ts'
import { refusal } from './use-block-edits.ts'
import type { Rows } from './use-rows.ts'

const PasteDialog = lazy(async () => ({ default: (await import('../paste/paste-dialog.tsx')).PasteDialog }))

const isOneCell = ({ range, cells }: PastedBlock) =>
  range.top === range.bottom && range.columns.length === 1 && cells.length === 1 && cells[0]?.length === 1

/** @param columns the visible columns @returns a function that pastes, and the open dialog */
export function usePaste(object: ObjectWithAttributes, rows: Rows, columns: readonly TableColumn[]) {
  const { organization } = useOrganization()
  const write = useChangeSet(object)
  const [block, setBlock] = useState<PastedBlock>()

  async function pasteOne(one: PastedBlock): Promise<void> {
    const [{ planOf }, { checkPaste }] = await Promise.all([
      import('../paste/paste-plan.ts'),
      import('../paste/check-paste.ts'),
    ])
    const { slug: org, currency } = organization
    const records = await rows.load(one.range.top, one.range.top)
    const asking = { org, object: object.slug, currency, records, onProgress: () => undefined }
    const { changes, problems } = await checkPaste({ ...asking, plan: planOf(one, columns) })
    const [problem] = problems
    if (problem?.cell) keepRefused(problem.cell.recordId, problem.cell.slug, { reason: problem.reason })
    if (problem) toastError(new Error(problem.reason))
    else await write({ changes, done: 'pasted' })
  }

  const paste: TableActions['paste'] = (range, cells) => {
    const attributes = range.columns.flatMap(({ attribute }) => attribute ?? [])
    const reason = refusal(object, attributes, cells.length)
    if (reason !== undefined) toast(reason)
    else if (isOneCell({ range, cells })) void pasteOne({ range, cells }).catch(toastError)
    else setBlock({ range, cells })
  }

  const dialog: ReactNode = block && (
    <Suspense fallback={<Opening />}>
      <PasteDialog
        object={object}
        rows={rows}
        columns={columns}
        block={block}
        onClose={() => setBlock(undefined)}
      />
    </Suspense>
  )
  return { paste, dialog }
}
