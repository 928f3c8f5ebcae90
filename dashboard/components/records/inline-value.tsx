// A value that is edited where it stands: Enter or leaving it saves, Esc takes it back.
import { Checkbox } from '@mantine/core'
import { Pencil } from 'lucide-react'
import { type FocusEvent, type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import type { Attribute } from '../../api/objects.ts'
import type { CrmRecord } from '../../api/records.ts'
import { ValueEditor } from '../values/value-editor.tsx'
import { ValueView } from '../values/value-view.tsx'
import { useEditRecord } from './edit-record.ts'
import classes from './inline-value.module.css'
import { draftOf, forgetRefused } from './refused-values.ts'

interface InlineValueProps {
  /** The object's slug. */
  object: string
  attribute: Attribute
  record: CrmRecord
  isReadOnly?: boolean
  /** In place of the plain value while it is not edited. */
  children?: ReactNode
}

/** What is chosen, not typed, is saved when it is chosen. */
const isChosen = ({ type, isList }: Attribute) => !isList && (type === 'select' || type === 'reference')

interface InlineEditorProps {
  attribute: Attribute
  /** What the edit begins with. */
  draft: unknown
  onSave(value: unknown): void
  onClose(isSaved: boolean): void
}

/** Esc belongs to the value first, then to the panel the value may be in. */
const keepEscape = ({ target }: FocusEvent<HTMLElement>) =>
  target.setAttribute('data-mantine-stop-propagation', 'true')

function useInlineEditor({ attribute, draft, onSave, onClose }: InlineEditorProps) {
  const [value, setValue] = useState(draft)
  // Leaving a field may add what was typed last, in the same moment in which the value is saved.
  const latest = useRef(value)
  const isClosed = useRef(false)
  const close = (save: boolean) => {
    if (isClosed.current) return
    isClosed.current = true
    if (save) onSave(latest.current)
    onClose(save)
  }
  const change = (changed: unknown) => {
    latest.current = changed
    setValue(changed)
    if (isChosen(attribute)) close(true)
  }
  return { value, change, close }
}

function InlineEditor(props: InlineEditorProps) {
  const { attribute } = props
  const { value, change, close } = useInlineEditor(props)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close(true)
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (!currentTarget.contains(relatedTarget)) close(true)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close(false)
  }
  return (
    <form
      className={classes.editor}
      aria-label={`Edit ${attribute.name}`}
      noValidate
      onSubmit={submit}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
      onFocusCapture={keepEscape}
    >
      <ValueEditor
        attribute={attribute}
        value={value}
        onChange={change}
        aria-label={attribute.name}
        autoFocus
      />
      <button type="submit" className="visually-hidden" tabIndex={-1}>
        Save {attribute.name}
      </button>
    </form>
  )
}

/** There is nothing to type: one click changes it. */
function InlineCheckbox({ object, attribute, record }: InlineValueProps) {
  const edit = useEditRecord(object)
  const from = record.data[attribute.slug] ?? null
  return (
    <div className={classes.checkbox}>
      <Checkbox
        aria-label={attribute.name}
        checked={from === true}
        onChange={({ currentTarget: { checked } }) =>
          void edit({ recordId: record.id, attribute, from, to: checked })
        }
      />
    </div>
  )
}

function TypedValue({ object, attribute, record, shown }: InlineValueProps & { shown: ReactNode }) {
  const [isEditing, setEditing] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const edit = useEditRecord(object)
  const { slug } = attribute
  const from = record.data[slug]
  const close = (isSaved: boolean) => {
    if (!isSaved) forgetRefused(record.id, slug)
    setEditing(false)
    // The keyboard goes on where it was, unless it has gone elsewhere.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) opener.current?.focus()
    })
  }
  const save = (to: unknown) => void edit({ recordId: record.id, attribute, from: from ?? null, to })
  if (isEditing)
    return (
      <InlineEditor
        attribute={attribute}
        draft={draftOf(record.id, slug, from)}
        onSave={save}
        onClose={close}
      />
    )
  return (
    <div className={classes.value}>
      <button
        ref={opener}
        type="button"
        data-edit
        className={classes.opener}
        aria-label={`Edit ${attribute.name}`}
        title="Edit (E)"
        onClick={() => setEditing(true)}
      >
        <Pencil size={12} aria-hidden />
      </button>
      <div className={classes.shown}>{shown}</div>
    </div>
  )
}

export function InlineValue(props: InlineValueProps) {
  const { attribute, record, isReadOnly, children } = props
  const shown = children ?? <ValueView attribute={attribute} value={record.data[attribute.slug]} />
  if (isReadOnly)
    return (
      <div className={classes.value}>
        <div className={classes.shown}>{shown}</div>
      </div>
    )
  if (attribute.type === 'checkbox' && !attribute.isList) return <InlineCheckbox {...props} />
  return <TypedValue {...props} shown={shown} />
}
