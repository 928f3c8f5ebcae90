// The editor of a value, chosen by the type of its attribute.
import { ActionIcon, Button } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import { EDITORS } from '../../types/editors/editors.ts'
import { holdsMany, TYPES } from '../../types/types.ts'
import type { Attribute } from '../api/objects.ts'
import type { EditorProps } from './editor-props.ts'
import { elements, orNull } from './several.ts'

interface ValueEditorProps extends EditorProps {
  attribute: Attribute
  /** The typed text replaces the value. The editor then is a text field, also for types with other editors. */
  isTyped?: boolean
}

function SingleEditor({ attribute, isTyped = false, ...props }: ValueEditorProps) {
  const { editor, typedEditor } = EDITORS[attribute.type]
  return isTyped && typedEditor ? typedEditor(props) : editor(props, attribute)
}

/** One editor per element, for types without an editor for several values. */
function RowsEditor({ attribute, value, onChange, label, error, isTyped: _, ...editor }: ValueEditorProps) {
  const rows = elements(value)
  const set = (index: number, one: unknown) => onChange(rows.with(index, one))
  return (
    <fieldset aria-label={label ?? attribute.name}>
      {label && <legend>{label}</legend>}
      <div className="stack gap-8">
        {rows.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: elements of a value have no identity but their place
          <div key={index} className="flex start gap-8">
            <div className="fill">
              <SingleEditor
                {...editor}
                attribute={attribute}
                value={one}
                onChange={(changed) => set(index, changed)}
                aria-label={`${attribute.name} ${index + 1}`}
                error={index === 0 ? error : undefined}
              />
            </div>
            <ActionIcon
              aria-label={`Remove ${attribute.name} ${index + 1}`}
              onClick={() => onChange(orNull(rows.toSpliced(index, 1)))}
            >
              <X size={14} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => onChange([...rows, TYPES[attribute.type].isToggle ? false : null])}
        >
          Add {attribute.name.toLowerCase()}
        </Button>
      </div>
    </fieldset>
  )
}

/**
 * A controlled editor. `onChange` is called for every change, with null for no value. `label` is visible, `aria-label`
 * is not.
 */
export function ValueEditor(props: ValueEditorProps) {
  const { attribute, isTyped: _, ...editor } = props
  if (!holdsMany(attribute)) return <SingleEditor {...props} />
  const { manyEditor } = EDITORS[attribute.type]
  return manyEditor ? manyEditor(editor, attribute) : <RowsEditor {...props} />
}
