// The editor of a value in its place: Enter or leaving it saves, Esc takes it back.
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

export function InlineEditor(props: InlineEditorProps) {
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
