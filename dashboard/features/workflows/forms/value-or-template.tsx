// A value that is entered with the editor of its attribute, or read from a template.
import { Braces, PencilLine } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { TYPE_CONTRACTS } from '../../../../contract/attribute-types.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { ValueEditor } from '../../../shared/values/value-editor.tsx'
import { textOf } from './field-props.ts'
import { SmallButton } from './small-button.tsx'
import { TemplateInput } from './template-input.tsx'
import { hasTemplate } from './template-text.ts'

/** Whether values are typed texts, so that a template can be typed as well. */
const isTyped = ({ type, isList }: Attribute) =>
  !isList && TYPE_CONTRACTS[type].isFreeText && TYPE_CONTRACTS[type].value['type'] === 'string'

interface SwitchedProps {
  value: unknown
  /** Noun for the value in labels of buttons. */
  what: string
  onChange(value: unknown): void
  /** The value that means “no value” outside of templates. */
  none: unknown
  isLabelled: boolean
  template(value: string): ReactNode
  editor: ReactNode
}

/** Shows the editor or the template input, and a button that switches between them. */
export function Switched({ value, what, onChange, none, isLabelled, template, editor }: SwitchedProps) {
  const [isAsked, setAsked] = useState(false)
  const isTemplate = hasTemplate(value) || isAsked
  const change = () => {
    setAsked(!isTemplate)
    onChange(isTemplate ? none : '')
  }
  return (
    <div className="flex shrink start gap-4">
      <div className="fill">{isTemplate ? template(textOf(value)) : editor}</div>
      <SmallButton
        icon={isTemplate ? PencilLine : Braces}
        label={isTemplate ? `Enter ${what} here` : `Take ${what} from a value`}
        mt={isLabelled ? 24 : 4}
        onClick={change}
      />
    </div>
  )
}

interface ValueOrTemplateProps {
  attribute: Attribute
  value: unknown
  onChange(value: unknown): void
  error: string | undefined
  required: boolean
}

export function ValueOrTemplate({ attribute, value, onChange: onValue, ...field }: ValueOrTemplateProps) {
  const label = attribute.name
  // An empty field means no value, which is null in records.
  const onChange = (next: unknown) => onValue(next === '' ? null : next)
  const template = (text: string) => (
    <TemplateInput {...field} label={label} value={text} onChange={onChange} />
  )
  if (isTyped(attribute)) return template(textOf(value))
  return (
    <Switched
      value={value}
      what={label}
      onChange={onChange}
      none={null}
      isLabelled={attribute.type !== 'checkbox'}
      template={template}
      editor={
        <ValueEditor {...field} attribute={attribute} label={label} value={value} onChange={onChange} />
      }
    />
  )
}
