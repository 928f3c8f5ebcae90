// Edits a value in place: Enter or leaving the field saves it, Escape restores it.
import { type FocusEvent, type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { holdsMany, TYPES } from '../../types/types.ts'
import { afterPress } from '../../ui/after-press.ts'
import { openFieldIn, settleWithin } from '../../ui/open-text.ts'
import { useOpenList } from '../../ui/use-open-list.ts'
import { FirstText } from '../../ui/use-open-text.tsx'
import type { Attribute } from '../api/objects.ts'
import { CreatingForm } from '../values/creating-form.ts'
import { CREATING_FORM, CreatesReferenced } from '../values/use-create-choice.tsx'
import { ValueEditor } from '../values/value-editor.tsx'
import classes from './inline-value.module.css'

/** A value chosen from a list is saved immediately. */
const isChosen = (attribute: Attribute) => TYPES[attribute.type].isChosen && !holdsMany(attribute)

interface InlineEditorProps {
  attribute: Attribute
  /** The initial value of the editor. */
  draft: unknown
  /** The reason why the last edit was refused. */
  error: string | undefined
  /** The initial text of the picker: typed earlier, but not an option. */
  firstText: string | undefined
  onSave(value: unknown): void
  /** Called when the text of a picker is not one of its options. */
  onRefuse(reason: string, draft: { value: unknown; text: string | undefined }): void
  onClose(isSaved: boolean): void
}

const isPicker = (target: EventTarget) =>
  target instanceof Element && target.getAttribute('aria-haspopup') === 'listbox'

function useInlineEditor({ attribute, draft, onSave, onRefuse, onClose }: InlineEditorProps) {
  const [value, setValue] = useState(draft)
  // Leaving a field may change the value in the same event that saves it, before a render.
  const latest = useRef(value)
  const isClosed = useRef(false)
  const close = (save: boolean) => {
    if (isClosed.current) return
    isClosed.current = true
    if (save) onSave(latest.current)
    onClose(save)
  }
  /** Saves after the pickers have taken their typed text. */
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
    // The picker takes its text before the click, so the editor must not close and move content until the click is
    // over.
    if (isChosen(attribute)) afterPress(() => close(true))
  }
  return { value, change, close, leave }
}

export function InlineEditor(props: InlineEditorProps) {
  const { attribute } = props
  const { value, change, close, leave } = useInlineEditor(props)
  const form = useOpenList<HTMLFormElement>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close(true)
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    // Another window took the focus. The editor stays open.
    if (!document.hasFocus()) return
    if (relatedTarget instanceof Element && relatedTarget.closest(`[${CREATING_FORM}]`)) return
    if (!currentTarget.contains(relatedTarget)) afterPress(() => void leave(form.current))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter first takes an option. Without one, it saves, as in a text field.
    if (event.key === 'Enter' && !event.defaultPrevented && isPicker(event.target)) void leave(form.current)
    if (event.key !== 'Escape') return
    event.stopPropagation()
    // Escape closed the list. With several choices, the editor stays. With one choice, the list is the whole editor.
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
