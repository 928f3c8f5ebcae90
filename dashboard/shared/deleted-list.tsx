// Deleted items of one kind, page by page. Each can be restored or deleted permanently after a confirmation.

import { Skeleton } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { capitalized } from './api/errors.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { type Deleted, DeletedTable } from './deleted-table.tsx'
import { MoreButton } from './more-button.tsx'
import { ErrorState } from './state.tsx'
import { toast } from './toast.ts'

type Ask = 'restore' | 'purge'

export interface DeletedKind {
  /** In lower case: "activity". */
  noun: string
  /** The text of an empty list. */
  empty: string
  /** What a restore brings back, as a sentence. */
  returns: string
  /** @returns the text of the toast */
  restore(id: string): Promise<string>
  purge(id: string): Promise<unknown>
}

interface DialogProps {
  kind: DeletedKind
  ask: Ask
  item: Pick<Deleted, 'id' | 'name'>
  onClose(): void
}

function AskDialog({ kind, ask, item: { id, name }, onClose }: DialogProps) {
  return ask === 'restore' ? (
    <ConfirmDialog
      title={`Restore ${name}?`}
      confirm={`Restore ${kind.noun}`}
      isHarmless
      onConfirm={() => kind.restore(id).then(toast)}
      onClose={onClose}
    >
      {kind.returns}
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      title={`Delete ${name} permanently?`}
      confirm="Delete permanently"
      onConfirm={() => kind.purge(id).then(() => toast(`${name} was deleted permanently`))}
      onClose={onClose}
    >
      It cannot be restored any more.
    </ConfirmDialog>
  )
}

interface DeletedListProps<Page> {
  kind: DeletedKind
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  itemsOf(page: Page): Deleted[]
}

export function DeletedList<Page>({ kind, query, itemsOf }: DeletedListProps<Page>) {
  const [asked, setAsked] = useState<Pick<DialogProps, 'ask' | 'item'>>()
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton height={96} role="status" aria-label="Loading" />
  const items = query.data.pages.flatMap(itemsOf)
  return (
    <>
      <DeletedTable
        heading={capitalized(kind.noun)}
        items={items}
        empty={<p className="muted">{kind.empty}</p>}
        onAsk={(ask, { id, name }) => setAsked({ ask, item: { id, name } })}
      />
      <MoreButton list={query} />
      {asked && <AskDialog {...asked} kind={kind} onClose={() => setAsked(undefined)} />}
    </>
  )
}
