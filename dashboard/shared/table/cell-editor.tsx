// The editor of a cell, above the cell. Enter, or leaving the editor, saves. Escape reverts. Tab saves and moves to the
// next cell.
import { Popover } from '@mantine/core'
import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { EDITORS } from '../../types/editors/editors.ts'
import { holdsMany, TYPES } from '../../types/types.ts'
import { openFieldIn, type Refusal, settleWithin } from '../../ui/open-text.ts'
import { FirstText } from '../../ui/use-open-text.tsx'
import type { Attribute } from '../api/objects.ts'
import type { CrmRecord } from '../api/records.ts'
import { draftOf, forgetRefused, keepRefused, refusedText, useRefusal } from '../records/refused-values.ts'
import { CreatingForm } from '../values/creating-form.ts'
import { CREATING_FORM, CreatesReferenced } from '../values/use-create-choice.tsx'
import { ValueEditor } from '../values/value-editor.tsx'
import classes from './cell.module.css'
import type { TableColumn } from './columns.ts'
import { useTable } from './table-context.ts'

/** Where the focus moves. `away`: another element already has the focus and keeps it. */
export type Move = 'stay' | 'away' | 'down' | 'next' | 'previous'

interface CellEditorProps {
  column: TableColumn
  record: CrmRecord
  /** A key opened the editor: the typed text replaces the value. */
  isTyped: boolean
  onDone(move: Move): void
}

const isWide = (attribute: Attribute) => TYPES[attribute.type].hasManyFields || holdsMany(attribute)
/** Pickers of records and members show hints, so they need more width. */
const hasHints = ({ type }: Attribute) => TYPE_CONTRACTS[type].kind === 'id'
const least = (attribute: Attribute) => (isWide(attribute) || hasHints(attribute) ? 320 : 200)
const isOneField = (attribute: Attribute, isTyped: boolean) =>
  !isWide(attribute) ||
  (isTyped && !holdsMany(attribute) && EDITORS[attribute.type].typedEditor !== undefined)

/** Whether the focus is in an option list or form that belongs to the editor, even if it is elsewhere in the page. */
const isOwn = (box: HTMLElement, target: EventTarget | null) =>
  target instanceof Element &&
  (box.contains(target) || target.closest(`[role=listbox], [${CREATING_FORM}]`) !== null)

interface Draft {
  box: React.RefObject<HTMLDivElement | null>
  value: unknown
  set(value: unknown): void
  onBlur(event: FocusEvent): void
  onKeyDown(event: KeyboardEvent): void
}

interface Done {
  save(to: unknown): void
  /** Called when the text in a picker is not one of its options. */
  refuse(value: unknown, refused: { reason: string; text: string | undefined }): void
  revert(): void
}

/** Ends the editor, at most once. */
function useEnd(initial: unknown, done: Done, onDone: (move: Move) => void) {
  // The latest value, also before a render: list editors take the typed text when they lose the focus.
  const latest = useRef(initial)
  const isOver = useRef(false)
  const move = useRef<Move>('stay')
  const end = (act: () => void) => {
    if (isOver.current) return
    isOver.current = true
    act()
    onDone(move.current)
  }
  return {
    latest,
    move,
    save: () => end(() => done.save(latest.current)),
    refuse: (reason: string, text: string | undefined) =>
      end(() => done.refuse(latest.current, { reason, text })),
    revert: () => end(done.revert),
  }
}

/** Calls `act` when all pickers have taken or refused their typed text. */
function whenSettled(box: Element | null, act: (refusal: Refusal) => void): void {
  const refusal = box ? settleWithin(box) : undefined
  if (refusal instanceof Promise) void refusal.then(act)
  else act(refusal)
}

/** The value of the editor, and the handlers that save or revert it. */
function useDraft(attribute: Attribute, initial: unknown, done: Done, onDone: (move: Move) => void) {
  const box = useRef<HTMLDivElement>(null)
  const [value, setValue] = useState(initial)
  const { latest, move, save, refuse, revert } = useEnd(initial, done, onDone)
  const leave = (to: Move) => {
    move.current = to
    whenSettled(box.current, (refusal) => {
      if (refusal !== undefined) {
        move.current = 'stay'
        return
      }
      const { activeElement } = document
      if (activeElement instanceof HTMLElement && box.current?.contains(activeElement)) activeElement.blur()
      save()
    })
  }
  const set = (next: unknown) => {
    latest.current = next
    setValue(next)
    if (TYPES[attribute.type].isChosen && !holdsMany(attribute)) save()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    const to = moveOf(event)
    // A list with several choices is a separate layer. A list with one choice is the whole editor.
    const isListClosed = event.defaultPrevented && holdsMany(attribute)
    if (event.key === 'Escape') isListClosed || revert()
    else if (to) {
      event.preventDefault()
      leave(to)
    }
  }
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!box.current || isOwn(box.current, relatedTarget) || !document.hasFocus()) return
    if (relatedTarget) move.current = 'away'
    whenSettled(box.current, (reason) => {
      if (reason === undefined) save()
      else refuse(reason, box.current ? openFieldIn(box.current)?.value : undefined)
    })
  }
  return { box, value, set, onBlur, onKeyDown } satisfies Draft
}

/** The move of a key that leaves the editor. Within an editor with many fields, Tab moves to the next field. */
function moveOf(event: KeyboardEvent): Move | undefined {
  if (event.nativeEvent.isComposing) return undefined
  if (event.key === 'Enter' && !event.defaultPrevented) return 'down'
  if (event.key !== 'Tab') return undefined
  const fields = [...event.currentTarget.querySelectorAll('input:not([type=hidden]), select, textarea')]
  const edge = event.shiftKey ? fields.at(0) : fields.at(-1)
  const isLast = edge === document.activeElement || fields.length <= 1
  if (!isLast) return undefined
  return event.shiftKey ? 'previous' : 'next'
}

interface EditorProps extends Pick<CellEditorProps, 'isTyped'> {
  attribute: Attribute
  draft: Draft
  recordId: string
}

function Editor({ attribute, draft, recordId, isTyped }: EditorProps) {
  const { box } = draft
  const [firstText] = useState(refusedText(recordId, attribute.slug))
  useLayoutEffect(() => {
    const field = box.current?.querySelector<HTMLInputElement>('input:not([type=hidden])')
    field?.focus({ preventScroll: true })
    if (field?.type !== 'date') field?.select()
    if (field?.getAttribute('aria-haspopup') === 'listbox') field.click()
  }, [box])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields inside take the keys, their box hears them
    <div
      ref={box}
      className={classes.editor}
      data-single={isOneField(attribute, isTyped) || undefined}
      onBlur={draft.onBlur}
      onKeyDown={draft.onKeyDown}
    >
      <FirstText value={isTyped ? undefined : firstText}>
        <CreatesReferenced value={CreatingForm}>
          <ValueEditor
            attribute={attribute}
            isTyped={isTyped}
            value={draft.value}
            onChange={draft.set}
            aria-label={attribute.name}
            error={useRefusal(recordId, attribute.slug)}
          />
        </CreatesReferenced>
      </FirstText>
    </div>
  )
}

function Popup({ attribute, column, record, isTyped, onDone }: CellEditorProps & { attribute: Attribute }) {
  const { actions, rowHeight } = useTable()
  // The value when the edit began. If another person changes it during the edit, the user decides.
  const [from] = useState(record.data[attribute.slug])
  const done: Done = {
    save: (to) => actions.edit(record, column, from, to),
    refuse: (value, { reason, text }) =>
      keepRefused(record.id, attribute.slug, { reason, draft: { value, text } }),
    revert: () => forgetRefused(record.id, attribute.slug),
  }
  const draft = useDraft(attribute, draftOf(record.id, attribute.slug, from), done, onDone)
  return (
    <Popover
      opened
      position="bottom-start"
      offset={-rowHeight}
      width={Math.max(column.width, least(attribute))}
      transitionProps={{ duration: 0 }}
      middlewares={{ shift: { padding: 8 }, flip: false }}
      hideDetached={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withRoles={false}
    >
      <Popover.Target>
        <div className={classes.anchor} />
      </Popover.Target>
      <Popover.Dropdown p={0} bd="2px solid var(--accent)">
        <Editor attribute={attribute} draft={draft} recordId={record.id} isTyped={isTyped} />
      </Popover.Dropdown>
    </Popover>
  )
}

export function CellEditor(props: CellEditorProps) {
  const { attribute } = props.column
  return attribute ? <Popup {...props} attribute={attribute} /> : null
}
