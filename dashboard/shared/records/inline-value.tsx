// A value that is edited in place: Enter or leaving the field saves it, Escape restores it.
import { Box, Checkbox } from '@mantine/core'
import { Pencil, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { TYPES } from '../../types/types.ts'
import type { Attribute } from '../api/objects.ts'
import type { CrmRecord } from '../api/records.ts'
import { isEmpty } from '../values/format.ts'
import { inSentence } from '../values/in-sentence.ts'
import { ValueView } from '../values/value-view.tsx'
import { useEditRecord } from './edit-record.ts'
import { InlineEditor } from './inline-editor.tsx'
import classes from './inline-value.module.css'
import { draftOf, forgetRefused, keepRefused, refusedText, useRefusal } from './refused-values.ts'

interface InlineValueProps {
  /** The object's slug. */
  object: string
  attribute: Attribute
  record: CrmRecord
  isReadOnly?: boolean
  /** Shown instead of the plain value while it is not edited. */
  children?: ReactNode
}

/** A checkbox has no editor: one click changes it. */
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
  // The value when the edit began. If another person changes it during the edit, the user decides. The height is kept,
  // so that the content around the editor does not move.
  const [edited, setEdited] = useState<{ from: unknown; text: string | undefined; height: number }>()
  const opener = useRef<HTMLButtonElement>(null)
  const edit = useEditRecord(object)
  const { slug } = attribute
  const refusal = useRefusal(record.id, slug)
  const close = (isSaved: boolean) => {
    if (!isSaved) forgetRefused(record.id, slug)
    setEdited(undefined)
    // The focus returns to the button, unless it has moved elsewhere.
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
