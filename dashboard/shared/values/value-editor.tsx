// The editor of a value, by the type of its attribute.
import { ActionIcon, Button, TagsInput } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import { MultiPicker } from '../../ui/multi-picker.tsx'
import type { Attribute } from '../api/objects.ts'
import { optionsOf, targetOf } from './attribute-config.ts'
import type { EditorProps } from './editor-props.ts'
import { MoneyEditor, NumberEditor, numbersOf } from './number-editors.tsx'
import { ReferencePicker, ReferencesPicker } from './reference-picker.tsx'
import {
  AddressEditor,
  CheckboxEditor,
  DayEditor,
  NameEditor,
  SelectEditor,
  TextEditor,
} from './scalar-editors.tsx'
import classes from './values.module.css'

interface ValueEditorProps extends EditorProps {
  attribute: Attribute
}

function SingleEditor({ attribute, ...editor }: ValueEditorProps) {
  switch (attribute.type) {
    case 'number':
      return <NumberEditor {...editor} />
    case 'email':
      return <TextEditor {...editor} type="email" />
    case 'phone_number':
      return <TextEditor {...editor} type="tel" />
    case 'date':
      return <DayEditor {...editor} />
    case 'checkbox':
      return <CheckboxEditor {...editor} />
    case 'name':
      return <NameEditor {...editor} />
    case 'address':
      return <AddressEditor {...editor} />
    case 'currency':
      return <MoneyEditor {...editor} />
    case 'select':
      return <SelectEditor {...editor} options={optionsOf(attribute)} />
    case 'reference':
      return (
        <ReferencePicker
          {...editor}
          objectId={targetOf(attribute) ?? ''}
          value={typeof editor.value === 'string' ? editor.value : null}
        />
      )
    default:
      return <TextEditor {...editor} />
  }
}

const elements = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const orNull = (values: unknown[]) => (values.length > 0 ? values : null)
const texts = (value: unknown) => elements(value).map(String)

/** One editor per element, for types that have no editor of many. */
function RowsEditor({ attribute, value, onChange, label, error, ...editor }: ValueEditorProps) {
  const rows = elements(value)
  const set = (index: number, one: unknown) => onChange(rows.with(index, one))
  return (
    <fieldset className={classes.group} aria-label={label ?? attribute.name}>
      {label && <legend className={classes.legend}>{label}</legend>}
      <div className="stack gap-8">
        {rows.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: elements of a value have no identity but their place
          <div key={index} className={classes.row}>
            <SingleEditor
              {...editor}
              attribute={attribute}
              value={one}
              onChange={(changed) => set(index, changed)}
              aria-label={`${attribute.name} ${index + 1}`}
              error={index === 0 ? error : undefined}
            />
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
          onClick={() => onChange([...rows, attribute.type === 'checkbox' ? false : null])}
        >
          Add {attribute.name.toLowerCase()}
        </Button>
      </div>
    </fieldset>
  )
}

const TAGGED = new Set<Attribute['type']>(['text', 'email', 'number', 'phone_number', 'list'])

function ManyEditor(props: ValueEditorProps) {
  const { attribute, onChange, value, ...field } = props
  if (TAGGED.has(attribute.type)) {
    const read = attribute.type === 'number' ? numbersOf : (values: string[]) => values
    return <TagsInput {...field} value={texts(value)} onChange={(values) => onChange(orNull(read(values)))} />
  }
  if (attribute.type === 'select')
    return (
      <MultiPicker
        {...field}
        data={optionsOf(attribute)}
        value={texts(value)}
        onChange={(values) => onChange(orNull(values))}
        clearable
      />
    )
  if (attribute.type === 'reference')
    return (
      <ReferencesPicker
        {...field}
        objectId={targetOf(attribute) ?? ''}
        value={texts(value)}
        onChange={(values) => onChange(orNull(values))}
      />
    )
  return <RowsEditor {...props} />
}

/** Controlled: `onChange` hears every change, null for no value; `label` shows it, `aria-label` only names it. */
export function ValueEditor(props: ValueEditorProps) {
  const { attribute } = props
  if (attribute.isList || attribute.type === 'list') return <ManyEditor {...props} />
  return <SingleEditor {...props} />
}
