// A value that is edited where it stands: Enter or leaving it saves, Esc takes it back.
import { Box, Checkbox } from '@mantine/core'
import { Pencil, TriangleAlert } from 'lucide-react'
import { type FocusEvent, type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { holdsMany, TYPES } from '../../types/types.ts'
import { afterPress } from '../../ui/after-press.ts'
import { openFieldIn, settleWithin } from '../../ui/open-text.ts'
import { useOpenList } from '../../ui/use-open-list.ts'
import { FirstText } from '../../ui/use-open-text.tsx'
import type { Attribute } from '../api/objects.ts'
import type { CrmRecord } from '../api/records.ts'
import { CreatingForm } from '../values/creating-form.ts'
import { isEmpty } from '../values/format.ts'
import { inSentence } from '../values/in-sentence.ts'
import { CREATING_FORM, CreatesReferenced } from '../values/use-create-choice.tsx'
import { ValueEditor } from '../values/value-editor.tsx'
import { ValueView } from '../values/value-view.tsx'
import { useEditRecord } from './edit-record.ts'
import classes from './inline-value.module.css'
import { draftOf, forgetRefused, keepRefused, refusedText, useRefusal } from './refused-values.ts'

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
const isChosen = (attribute: Attribute) => TYPES[attribute.type].isChosen && !holdsMany(attribute)

interface InlineEditorProps {
  attribute: Attribute
  /** What the edit begins with. */
  draft: unknown
  /** Why the last edit was refused. */
  error: string | undefined
  /** What was typed into a picker earlier, and was none of its options. */
  firstText: string | undefined
  onSave(value: unknown): void
  /** The text in a picker is none of its options. */
  onRefuse(reason: string, draft: { value: unknown; text: string | undefined }): void
  onClose(isSaved: boolean): void
}

const isPicker = (target: EventTarget) =>
  target instanceof Element && target.getAttribute('aria-haspopup') === 'listbox'

function useInlineEditor({ attribute, draft, onSave, onRefuse, onClose }: InlineEditorProps) {
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
  /** Saves as soon as pickers have taken what is typed in them. */
  const leave = async (form: HTMLFormElement | null) => {
    const refusal = form ? settleWithin(form) : undefined
    const reason = refusal instanceof Promise ? await refusal : refusal
    if (reason === undefined) return close(true)
    if (isClosed.current || !form || form.contains(document.activeElement)) return
    isClosed.current = true
    onRefuse(reason, { value: latest.current ?? null, text: openFieldIn(form)?.value })
    onClose(true)
  }
  const change = (changed: unknown) => {
    latest.current = changed
    setValue(changed)
    // A picker that is left takes its text before the click that left it: nothing moves under the click.
    if (isChosen(attribute)) afterPress(() => close(true))
  }
  return { value, change, close, leave }
}

function InlineEditor(props: InlineEditorProps) {
  const { attribute } = props
  const { value, change, close, leave } = useInlineEditor(props)
  const form = useOpenList<HTMLFormElement>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close(true)
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    // Another window took the focus, and gives it back.
    if (!document.hasFocus()) return
    if (relatedTarget instanceof Element && relatedTarget.closest(`[${CREATING_FORM}]`)) return
    if (!currentTarget.contains(relatedTarget)) afterPress(() => void leave(form.current))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter takes an option first; where there is none to take it saves, as in a field of text.
    if (event.key === 'Enter' && !event.defaultPrevented && isPicker(event.target)) void leave(form.current)
    if (event.key !== 'Escape') return
    event.stopPropagation()
    // It closed a list of several options; where one is chosen the list is all of the editor.
    if (event.defaultPrevented && !isChosen(attribute)) return
    close(false)
  }
  return (
    <form
      ref={form}
      className={classes.editor}
      data-asks="no"
      aria-label={`Edit ${attribute.name}`}
      noValidate
      onSubmit={submit}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
    >
      <FirstText value={props.firstText}>
        <CreatesReferenced value={CreatingForm}>
          <ValueEditor
            attribute={attribute}
            value={value}
            onChange={change}
            error={props.error}
            aria-label={attribute.name}
            autoFocus
          />
        </CreatesReferenced>
      </FirstText>
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
    <Box className="row" mih={28} px={8}>
      <Checkbox
        aria-label={attribute.name}
        error={useRefusal(record.id, attribute.slug)}
        checked={from === true}
        onChange={({ currentTarget: { checked } }) =>
          void edit({ recordId: record.id, attribute, from, to: checked })
        }
      />
    </Box>
  )
}

const Refused = ({ reason }: { reason: string }) => (
  <div className={classes.refusal}>
    <TriangleAlert size={14} aria-hidden /> Not saved: {reason}
  </div>
)

function TypedValue({ object, attribute, record, shown }: InlineValueProps & { shown: ReactNode }) {
  // What was there when the edit began: what others write meanwhile is asked about, not written over. While it is
  // edited it takes as much room as before: what is around it stays where it is.
  const [edited, setEdited] = useState<{ from: unknown; text: string | undefined; height: number }>()
  const opener = useRef<HTMLButtonElement>(null)
  const edit = useEditRecord(object)
  const { slug } = attribute
  const refusal = useRefusal(record.id, slug)
  const close = (isSaved: boolean) => {
    if (!isSaved) forgetRefused(record.id, slug)
    setEdited(undefined)
    // The keyboard goes on where it was, unless it has gone elsewhere.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) opener.current?.focus()
    })
  }
  if (edited)
    return (
      <div className="relative" style={{ minHeight: 28, height: edited.height }}>
        <InlineEditor
          attribute={attribute}
          draft={draftOf(record.id, slug, edited.from)}
          error={refusal}
          firstText={edited.text}
          onRefuse={(reason, draft) => keepRefused(record.id, slug, { reason, draft })}
          onSave={(to) => void edit({ recordId: record.id, attribute, from: edited.from ?? null, to })}
          onClose={close}
        />
      </div>
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
        onClick={({ currentTarget }) =>
          setEdited({
            from: record.data[slug],
            text: refusedText(record.id, slug),
            height: currentTarget.offsetHeight,
          })
        }
      >
        <Pencil className="revealed" size={12} aria-hidden />
      </button>
      <div className={classes.shown}>{shown}</div>
      {refusal !== undefined && <Refused reason={refusal} />}
    </div>
  )
}

function Shown({ attribute, record, isReadOnly }: InlineValueProps) {
  const value = record.data[attribute.slug]
  if (isReadOnly || !isEmpty(value)) return <ValueView attribute={attribute} value={value} />
  return <span className="muted">Set {inSentence(attribute.name)}</span>
}

export function InlineValue(props: InlineValueProps) {
  const { attribute, isReadOnly, children } = props
  const shown = children ?? <Shown {...props} />
  if (isReadOnly)
    return (
      <div className={classes.value}>
        <div className={classes.shown}>{shown}</div>
      </div>
    )
  if (TYPES[attribute.type].isToggle && !attribute.isList) return <InlineCheckbox {...props} />
  return <TypedValue {...props} shown={shown} />
}
