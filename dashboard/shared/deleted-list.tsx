// Deleted items of one kind, page by page. Each can be restored or deleted permanently after a confirmation.

import { Skeleton } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { capitalized } from './api/errors.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { type Deleted, DeletedTable } from './deleted-table.tsx'
import { MoreButton } from './more-button.tsx'
import { toast } from './toast.ts'
import { Waiting } from './waiting.tsx'

type Ask = 'restore' | 'purge'

interface RestoreDialogProps {
  name: string
  /** The item in the title. By default its name. */
  what?: string
  /** In lower case: "activity". */
  noun: string
  /** What a restore brings back. */
  children: ReactNode
  restore(): Promise<unknown>
  onClose(): void
}

export function RestoreDialog({ name, what = name, noun, children, restore, onClose }: RestoreDialogProps) {
  return (
    <ConfirmDialog
      title={`Restore ${what}?`}
      confirm={`Restore ${noun}`}
      isHarmless
      onConfirm={restore}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  )
}

interface PurgeDialogProps extends Pick<RestoreDialogProps, 'name' | 'what' | 'onClose'> {
  /** When given, the user must type it exactly. */
  typed?: string
  /** What else is deleted. */
  children?: ReactNode
  purge(): Promise<unknown>
}

export function PurgeDialog({ name, what = name, typed, children, purge, onClose }: PurgeDialogProps) {
  return (
    <ConfirmDialog
      title={`Delete ${what} permanently?`}
      confirm="Delete permanently"
      {...(typed !== undefined && { typed })}
      onConfirm={() => purge().then(() => toast(`${name} was deleted permanently`))}
      onClose={onClose}
    >
      {children}It cannot be restored any more.
    </ConfirmDialog>
  )
}

export interface DeletedKind {
  /** In lower case: "activity". */
  noun: string
  /** What an empty list shows. */
  empty: ReactNode
  /** All actions are disabled. */
  isDisabled?: boolean
  /** What a restore brings back. */
  returns(id: string): ReactNode
  /** @returns the text of the toast; undefined: it was shown */
  restore(id: string): Promise<string | undefined>
  purge(id: string): Promise<unknown>
}

interface DialogProps {
  kind: DeletedKind
  ask: Ask
  item: Pick<Deleted, 'id' | 'name'>
  onClose(): void
}

function AskDialog({ kind, ask, item: { id, name }, onClose }: DialogProps) {
  if (ask === 'purge') return <PurgeDialog name={name} purge={() => kind.purge(id)} onClose={onClose} />
  const restore = () => kind.restore(id).then((text) => text && toast(text))
  return (
    <RestoreDialog name={name} noun={kind.noun} restore={restore} onClose={onClose}>
      {kind.returns(id)}
    </RestoreDialog>
  )
}

interface DeletedListProps<Page> {
  kind: DeletedKind
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  itemsOf(page: Page): Deleted[]
}

export function DeletedList<Page>({ kind, query, itemsOf }: DeletedListProps<Page>) {
  const [asked, setAsked] = useState<Pick<DialogProps, 'ask' | 'item'>>()
  if (query.error || !query.data)
    return (
      <Waiting query={query}>
        <Skeleton height={96} role="status" aria-label="Loading" />
      </Waiting>
    )
  const items = query.data.pages.flatMap(itemsOf)
  return (
    <>
      <DeletedTable
        heading={capitalized(kind.noun)}
        items={items}
        empty={kind.empty}
        isDisabled={kind.isDisabled}
        onAsk={(ask, { id, name }) => setAsked({ ask, item: { id, name } })}
      />
      <MoreButton list={query} />
      {asked && <AskDialog {...asked} kind={kind} onClose={() => setAsked(undefined)} />}
    </>
  )
}
